import Synchronization

/// A client in which equal concurrent GET requests share one transfer.
///
/// Requests are equal if all their properties are equal and they were sent in the same generation. A
/// request with a body always has its own transfer. For other requests that need their own, use the
/// wrapped client. Cancelling one waiter does not affect the others; cancelling the last one cancels
/// the transfer. Wrap this client around a ``RetryingHTTPClient``, not the other way around.
public final class CoalescingHTTPClient: HTTPClient {
    private typealias Outcome = Result<HTTPResponse, HTTPClientError>

    private typealias Waiter = CheckedContinuation<Outcome, Never>

    /// A transfer in flight, and the callers that wait for it.
    private struct SharedTransfer {
        let id: UInt64
        let task: Task<Void, Never>
        var waiters: [UInt64: Waiter] = [:]
    }

    /// The properties that are equal in all requests that share a transfer.
    private struct Key: Hashable {
        let request: HTTPRequest
        let generation: UInt64
    }

    private struct State {
        var transfers: [Key: SharedTransfer] = [:]
        var lastID: UInt64 = 0
    }

    private let client: any HTTPClient
    private let generation: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// Creates a client that wraps another one.
    ///
    /// - Parameters:
    ///   - client: The client that sends each transfer.
    ///   - generation: Returns the present generation. It is called for each request. After something
    ///     was changed on the server, return a new number, so that later requests do not receive a
    ///     response from before the change.
    public init(
        _ client: any HTTPClient,
        generation: @escaping @Sendable () -> UInt64 = { 0 }
    ) {
        (self.client, self.generation) = (client, generation)
    }

    /// See ``HTTPClient/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard request.method == .get, request.body == nil else {
            return try await client.send(request)
        }
        if Task.isCancelled { throw HTTPClientError(.cancelled) }
        let key = Key(request: request, generation: generation())
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                join(key, as: id, waiter)
                // If the task was cancelled before `join`, `onCancel` found no waiter to remove.
                if Task.isCancelled { leave(key, id) }
            }
        } onCancel: {
            leave(key, id)
        }
        return try outcome.get()
    }

    /// Adds a waiter to the transfer of an equal request, or starts a transfer.
    private func join(_ key: Key, as id: UInt64, _ waiter: Waiter) {
        state.withLock { state in
            if state.transfers[key] == nil {
                let task = Task {
                    let outcome: Outcome
                    do throws(HTTPClientError) {
                        outcome = .success(try await client.send(key.request))
                    } catch {
                        outcome = .failure(error)
                    }
                    finish(key, id, outcome)
                }
                state.transfers[key] = SharedTransfer(id: id, task: task)
            }
            state.transfers[key]?.waiters[id] = waiter
        }
    }

    private func finish(_ key: Key, _ id: UInt64, _ outcome: Outcome) {
        let transfer = state.withLock { state in
            // If all waiters left, a later transfer may have replaced this one.
            state.transfers[key]?.id == id ? state.transfers.removeValue(forKey: key) : nil
        }
        for waiter in (transfer?.waiters ?? [:]).values { waiter.resume(returning: outcome) }
    }

    private func leave(_ key: Key, _ id: UInt64) {
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.transfers[key]?.waiters.removeValue(forKey: id) else {
                return (nil, nil)
            }
            guard state.transfers[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.transfers.removeValue(forKey: key)?.task)
        }
        abandoned?.cancel()
        waiter?.resume(
            returning: .failure(HTTPClientError(.cancelled, mayHaveBeenSent: true))
        )
    }
}
