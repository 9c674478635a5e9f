import BookingStorage
import HTTPServing
import Synchronization

/// Answers clients that wait for changes. A waiting client needs no thread.
///
/// While clients wait, one task looks for changes: whenever this process may have made one, and
/// every 250 ms, because other processes may use the same database. Clients that wait at the same
/// position share one query and one body.
final class ChangeFeed: Sendable {
    private typealias Outcome = Result<[UInt8], StoreError>

    /// How a wait ends.
    private enum Wait {
        /// There is a change, or a failure.
        case ended(Outcome)
        /// Nothing has changed in time.
        case unchanged
        /// Too many clients wait already.
        case rejected
    }

    private struct Client {
        var deadline: ContinuousClock.Instant
        var continuation: UnsafeContinuation<Wait, Never>
    }

    private enum Search {
        case none
        case running
        /// There may be a change that the running search does not find.
        case outdated
    }

    private struct State {
        /// The waiting clients, by their position and a number of their own.
        var clients: [ChangeCursor: [UInt64: Client]] = [:]
        var clientCount = 0
        var lastClient: UInt64 = 0
        /// The position of the last change that was found; nil if there may be a later one, and
        /// no one looks for it.
        var latest: ChangeCursor?
        var search = Search.none
        var hasTimer = false

        /// Returns whether the caller must start a search.
        mutating func requestSearch() -> Bool {
            defer { search = search == .none ? .running : .outdated }
            return search == .none
        }
    }

    private static let interval = Duration.milliseconds(250)
    /// When a client that may not wait can try again, in seconds.
    private static let retryAfterSeconds = 5

    private let store: any BookingStore
    private let maximumWaiting: Int
    private let encode: @Sendable (ChangePage) -> [UInt8]
    private let state = Mutex(State())

    /// At most `maximumWaiting` clients wait at the same time. `encode` returns the body of a
    /// response.
    init(
        store: any BookingStore,
        maximumWaiting: Int,
        encode: @escaping @Sendable (ChangePage) -> [UInt8]
    ) {
        self.store = store
        self.maximumWaiting = maximumWaiting
        self.encode = encode
    }

    /// The number of clients that wait.
    var waitingCount: Int { state.withLock { $0.clientCount } }

    /// The position of the last change.
    func latest() async throws(StoreError) -> ChangeCursor {
        try await store.changes(after: nil, limit: 0).cursor
    }

    /// The body with the changes after a position. If nothing has changed, waits for a change, at
    /// most as long as `wait`, and until the task is cancelled.
    ///
    /// Throws a ``StoreError``, or the problem `overloaded` if too many clients wait already. An
    /// early answer instead would make them all ask again at once.
    func body(
        after cursor: ChangeCursor,
        waitingFor wait: Duration
    ) async throws -> [UInt8] {
        let page = try await page(after: cursor)
        guard page.cursor == cursor, wait > .zero else { return encode(page) }
        switch await nextChange(after: cursor, before: .now + wait) {
        case .rejected: throw Self.tooManyClients
        case .unchanged: return encode(page)
        case .ended(let outcome): return try outcome.get()
        }
    }

    /// Looks for changes if clients wait. Call this after this process may have made one.
    func noticeChange() {
        let startsSearch = state.withLock { state in
            if state.clients.isEmpty {
                state.latest = nil
                return false
            }
            return state.requestSearch()
        }
        if startsSearch { startSearch() }
    }

    private func page(after cursor: ChangeCursor) async throws(StoreError) -> ChangePage {
        try await store.changes(after: cursor, limit: PageQuery.maximumLimit)
    }
}

// MARK: - Waiting

extension ChangeFeed {
    private func nextChange(
        after cursor: ChangeCursor,
        before deadline: ContinuousClock.Instant
    ) async -> Wait {
        let number = state.withLock { state in
            state.lastClient += 1
            return state.lastClient
        }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let client = Client(deadline: deadline, continuation: continuation)
                add(client, number, at: cursor)
                // If the task was cancelled before, there was no client to end.
                if Task.isCancelled { end(number, at: cursor) }
            }
        } onCancel: {
            end(number, at: cursor)
        }
    }

    private func add(_ client: Client, _ number: UInt64, at cursor: ChangeCursor) {
        let starts = state.withLock { state -> (search: Bool, timer: Bool)? in
            guard state.clientCount < maximumWaiting else { return nil }
            state.clients[cursor, default: [:]][number] = client
            state.clientCount += 1
            defer { state.hasTimer = true }
            let mayBeOutdated = state.latest.map(cursor.isOutdated) ?? true
            return (mayBeOutdated && state.requestSearch(), !state.hasTimer)
        }
        guard let starts else { return client.continuation.resume(returning: .rejected) }
        if starts.search { startSearch() }
        if starts.timer { Task.detached { await self.runTimer() } }
    }

    private static var tooManyClients: Problem {
        var problem = Problem(.overloaded, "too many clients wait for changes; try again later")
        problem.headers["Retry-After"] = "\(retryAfterSeconds)"
        return problem
    }

    /// Ends the wait of a client, if it has not ended.
    private func end(_ number: UInt64, at cursor: ChangeCursor) {
        let client = state.withLock { state in
            let client = state.clients[cursor]?.removeValue(forKey: number)
            if client != nil { state.clientCount -= 1 }
            if state.clients[cursor]?.isEmpty == true { state.clients[cursor] = nil }
            return client
        }
        client?.continuation.resume(returning: .unchanged)
    }

    private func runTimer() async {
        repeat {
            try? await Task.sleep(for: Self.interval)
            noticeChange()
        } while state.withLock { state in
            state.hasTimer = !state.clients.isEmpty
            return state.hasTimer
        }
    }
}

// MARK: - Searching

extension ChangeFeed {
    private func startSearch() {
        Task.detached {
            repeat {
                await self.search()
            } while self.state.withLock { state in
                state.search = state.search == .outdated ? .running : .none
                return state.search == .running
            }
        }
    }

    private func search() async {
        let latest: ChangeCursor
        do throws(StoreError) {
            latest = try await self.latest()
        } catch {
            for client in takeAll() {
                client.continuation.resume(returning: .ended(.failure(error)))
            }
            return
        }
        let (outdated, expired) = take(latest)
        for client in expired { client.continuation.resume(returning: .unchanged) }
        for (cursor, clients) in outdated {
            let outcome = await outcome(after: cursor)
            for client in clients.values {
                client.continuation.resume(returning: .ended(outcome))
            }
        }
    }

    private func outcome(after cursor: ChangeCursor) async -> Outcome {
        do throws(StoreError) {
            return .success(encode(try await page(after: cursor)))
        } catch {
            return .failure(error)
        }
    }

    /// Removes the clients for which there are changes, and those that have waited long enough.
    private func take(
        _ latest: ChangeCursor
    ) -> (outdated: [ChangeCursor: [UInt64: Client]], expired: [Client]) {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.latest = latest
            let outdated = state.clients.filter { $0.key.isOutdated(by: latest) }
            for cursor in outdated.keys { state.clients[cursor] = nil }
            var expired: [Client] = []
            for (cursor, clients) in state.clients {
                let waiting = clients.filter { $0.value.deadline > now }
                guard waiting.count < clients.count else { continue }
                expired += clients.values.filter { $0.deadline <= now }
                state.clients[cursor] = waiting.isEmpty ? nil : waiting
            }
            state.clientCount -= expired.count + outdated.values.reduce(0) { $0 + $1.count }
            return (outdated, expired)
        }
    }

    private func takeAll() -> [Client] {
        state.withLock { state in
            defer { (state.clients, state.clientCount) = ([:], 0) }
            state.latest = nil
            return state.clients.values.flatMap(\.values)
        }
    }
}
