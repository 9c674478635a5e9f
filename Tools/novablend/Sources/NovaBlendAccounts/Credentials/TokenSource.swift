import Synchronization

/// Gets a token when it is first needed, and a new one when the server rejects it. Concurrent
/// callers share one attempt.
package final class TokenSource: Sendable {
    /// A waiting caller. It is resumed with nil if its task is cancelled.
    private typealias Waiter = CheckedContinuation<Result<BearerToken, CredentialError>?, Never>

    private enum State {
        /// No attempt was made, or the last one failed.
        case empty
        /// An attempt is in progress; these callers wait for it.
        case fetching([UInt64: Waiter])
        /// The token, until the server rejects it.
        case ready(BearerToken)
    }

    private let state = Mutex(State.empty)
    private let nextID = Atomic<UInt64>(0)
    private let fetch: @Sendable () async throws(CredentialError) -> BearerToken

    /// Creates a source that gets tokens with `fetch`.
    init(fetch: @escaping @Sendable () async throws(CredentialError) -> BearerToken) {
        self.fetch = fetch
    }

    /// The token that was used last, and has not been rejected; nil if none was.
    var current: BearerToken? {
        state.withLock { state in
            if case .ready(let token) = state { token } else { nil }
        }
    }

    /// The token; nil if the task was cancelled.
    package func token() async throws(CredentialError) -> BearerToken? {
        try await token(butNot: nil)
    }

    /// A token that replaces one that the server rejected. It may come from a concurrent call.
    /// Returns nil if the new token is the same or the task was cancelled.
    func replacement(for rejected: BearerToken) async throws(CredentialError) -> BearerToken? {
        let token = try await token(butNot: rejected)
        return token == rejected ? nil : token
    }

    private func token(
        butNot rejected: BearerToken?
    ) async throws(CredentialError) -> BearerToken? {
        let id = nextID.add(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                join(waiter, id, butNot: rejected)
                // If the task was cancelled before `join`, `onCancel` found no waiter to remove.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
        return try result?.get()
    }

    private enum Action { case resume(BearerToken), fetch, wait }

    private func join(_ waiter: Waiter, _ id: UInt64, butNot rejected: BearerToken?) {
        let action: Action = state.withLock { state in
            switch state {
            case .ready(let token) where token != rejected: return .resume(token)
            case .ready, .empty:
                state = .fetching([id: waiter])
                return .fetch
            case .fetching(var waiters):
                waiters[id] = waiter
                state = .fetching(waiters)
                return .wait
            }
        }
        switch action {
        case .resume(let token): waiter.resume(returning: .success(token))
        case .fetch: startFetching()
        case .wait: break
        }
    }

    private func startFetching() {
        Task {
            do throws(CredentialError) {
                finish(.success(try await fetch()))
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func finish(_ result: Result<BearerToken, CredentialError>) {
        let waiters: [UInt64: Waiter] = state.withLock { state in
            guard case .fetching(let waiters) = state else { return [:] }
            state = (try? result.get()).map(State.ready) ?? .empty
            return waiters
        }
        for waiter in waiters.values { waiter.resume(returning: result) }
    }

    private func leave(_ id: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            guard case .fetching(var waiters) = state else { return nil }
            let waiter = waiters.removeValue(forKey: id)
            state = .fetching(waiters)
            return waiter
        }
        waiter?.resume(returning: nil)
    }
}

extension TokenSource {
    /// Creates a source for the token of `credentials`; nil if they have no token.
    package convenience init?(_ credentials: Credentials) {
        guard let token = credentials.token else { return nil }
        self.init { () async throws(CredentialError) in try await token.fetch() }
    }
}
