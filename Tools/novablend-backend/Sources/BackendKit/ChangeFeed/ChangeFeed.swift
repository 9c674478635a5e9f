import BookingStorage
import Contract
import HTTPServing
import Synchronization

/// Answers clients that wait for changes. A waiting client needs no thread.
///
/// While clients wait, one task looks for changes: whenever this process may have made one, and
/// every 250 ms, because other processes may use the same database. Clients that wait at the same
/// position share one query, and one body if they may see the same. They are answered by that task, not
/// by the request that made the change, and a few at a time.
final class ChangeFeed: Sendable {
    private enum Search {
        case none
        case running
        /// There may be a change that the running search does not find.
        case outdated
    }

    private struct State {
        var clients = WaitingClients()
        var lastClient: UInt64 = 0
        /// The position of the last change that was found; nil if there may be a later one that no
        /// search is looking for.
        var latest: ChangeCursor?
        var search = Search.none
        var hasTimer = false
        /// How many clients without a token wait, by their networks.
        var anonymous: [String: Int] = [:]

        /// Returns whether the caller must start a search.
        mutating func requestSearch() -> Bool {
            defer { search = search == .none ? .running : .outdated }
            return search == .none
        }
    }

    private static let interval = Duration.milliseconds(250)
    /// How many clients without a token may wait in one network.
    static let maximumPerNetwork = 64

    private let store: any BookingStore
    private let maximumWaiting: Int
    private let pageLimit: Int
    private let encode: @Sendable (ChangePage, Principal.Role) -> [UInt8]
    private let state = Mutex(State())

    /// At most `maximumWaiting` clients wait at the same time, and a response has at most `pageLimit`
    /// changes. `encode` returns the body of a response for a role.
    init(
        store: any BookingStore,
        maximumWaiting: Int,
        pageLimit: Int = PageQuery.maximumLimit,
        encode: @escaping @Sendable (ChangePage, Principal.Role) -> [UInt8]
    ) {
        self.store = store
        self.maximumWaiting = maximumWaiting
        self.pageLimit = pageLimit
        self.encode = encode
    }

    /// The number of clients that wait.
    var waitingCount: Int { state.withLock { $0.clients.count } }

    /// The position of the last change.
    func latest() async throws(Problem) -> ChangeCursor {
        try await store.changes(after: nil, limit: 0, in: ChangeScope(.administrator)).cursor
    }

    /// The body with the changes after a position that are in the scope. If there are none, waits for
    /// the next change, but at most for `wait`, and only until the task is cancelled.
    ///
    /// - Parameter network: The network of a client without a token; nil for a client with one. Such
    ///   clients can fill only half of the room, and those of one network only a part of it.
    ///
    /// Throws the problem of the store, or `overloaded` if too many clients wait already. If
    /// these clients got an empty response instead, all of them would ask again at once.
    func body(
        after cursor: ChangeCursor,
        in scope: ChangeScope,
        of network: String? = nil,
        waitingFor wait: Duration
    ) async throws -> [UInt8] {
        let page = try await page(after: cursor, in: scope)
        guard page.changes.isEmpty, wait > .zero else { return encode(page, scope.role) }
        guard reserve(network) else { throw Self.tooManyClients }
        defer { release(network) }
        switch await nextChange(after: page.cursor, in: scope, before: .now + wait) {
        case .rejected: throw Self.tooManyClients
        case .unchanged(let end): return encode(ChangePage(changes: [], cursor: end), scope.role)
        case .ended(let outcome, let slice):
            slice?.clientContinues()
            return try outcome.get()
        }
    }

    /// Counts a client without a token. Returns false if too many of them wait already.
    private func reserve(_ network: String?) -> Bool {
        guard let network else { return true }
        return state.withLock { state in
            let count = state.anonymous[network] ?? 0
            let total = state.anonymous.values.reduce(0, +)
            guard count < Self.maximumPerNetwork, total < (maximumWaiting + 1) / 2 else {
                return false
            }
            state.anonymous[network] = count + 1
            return true
        }
    }

    private func release(_ network: String?) {
        guard let network else { return }
        state.withLock { state in
            let count = (state.anonymous[network] ?? 1) - 1
            state.anonymous[network] = count > 0 ? count : nil
        }
    }

    /// Looks for changes if clients wait. Call this after this process may have made one.
    func noticeChange() {
        let startsSearch = state.withLock { state in
            if state.clients.count == 0 {
                state.latest = nil
                return false
            }
            return state.requestSearch()
        }
        if startsSearch { startSearch() }
    }

    private func page(
        after cursor: ChangeCursor,
        in scope: ChangeScope
    ) async throws(Problem) -> ChangePage {
        try await store.changes(after: cursor, limit: pageLimit, in: scope)
    }
}

// MARK: - Waiting

extension ChangeFeed {
    private func nextChange(
        after cursor: ChangeCursor,
        in scope: ChangeScope,
        before deadline: ContinuousClock.Instant
    ) async -> WaitingClients.Outcome {
        let number = state.withLock { state in
            state.lastClient += 1
            return state.lastClient
        }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let client = WaitingClients.Client(
                    number: number,
                    scope: scope,
                    deadline: deadline,
                    continuation: continuation
                )
                add(client, at: cursor)
                // If the task was cancelled before the client was added, `onCancel` found no client
                // to end.
                if Task.isCancelled { end(number, in: scope) }
            }
        } onCancel: {
            end(number, in: scope)
        }
    }

    private func add(_ client: WaitingClients.Client, at cursor: ChangeCursor) {
        let starts = state.withLock { state -> (search: Bool, timer: Bool)? in
            guard state.clients.count < maximumWaiting else { return nil }
            state.clients.insert(client, at: cursor)
            defer { state.hasTimer = true }
            let mayBeOutdated = state.latest.map(cursor.isOutdated) ?? true
            return (mayBeOutdated && state.requestSearch(), !state.hasTimer)
        }
        guard let starts else { return client.continuation.resume(returning: .rejected) }
        if starts.search { startSearch() }
        if starts.timer { Task.detached { await self.runTimer() } }
    }

    private static let tooManyClients = Problem(
        .overloaded,
        "too many clients wait for changes; try again later",
        retryAfterSeconds: 5
    )

    /// Ends the wait of a client, if it has not ended.
    private func end(_ number: UInt64, in scope: ChangeScope) {
        let removed = state.withLock { $0.clients.remove(number, in: scope) }
        guard let (client, cursor) = removed else { return }
        client.continuation.resume(returning: .unchanged(cursor))
    }

    private func runTimer() async {
        repeat {
            try? await Task.sleep(for: Self.interval)
            // The timer does this, not the search, which can last as long as the database cannot be
            // reached.
            endExpired()
            noticeChange()
        } while state.withLock { state in
            state.hasTimer = state.clients.count > 0
            return state.hasTimer
        }
    }

    /// Ends the wait of the clients whose deadline has passed.
    private func endExpired() {
        let expired = state.withLock { $0.clients.removeExpired(at: .now) }
        for (client, cursor) in expired {
            client.continuation.resume(returning: .unchanged(cursor))
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
        do {
            latest = try await self.latest()
        } catch {
            if Self.canWait(for: error) { return }
            let clients = state.withLock { state in
                state.latest = nil
                return state.clients.removeAll()
            }
            return fail(clients, error)
        }
        let outdated = state.withLock { state in
            state.latest = latest
            return state.clients.positions(outdatedBy: latest)
        }
        for cursor in outdated { await answer(at: cursor, latest) }
    }

    /// Answers the clients that wait at `cursor` and get a change in the page after it. The
    /// other clients keep waiting at the end of that page.
    private func answer(at cursor: ChangeCursor, _ latest: ChangeCursor) async {
        let page: ChangePage
        do {
            page = try await self.page(after: cursor, in: ChangeScope(.administrator))
        } catch {
            if Self.canWait(for: error) { return }
            return fail(state.withLock { $0.clients.removeAll(at: cursor) }, error)
        }
        let readers = state.withLock { state in
            // The clients that keep waiting may be allowed to see a change in a later page.
            if page.cursor != cursor, page.cursor.isOutdated(by: latest) {
                state.search = .outdated
            }
            return state.clients.removeReaders(of: page, at: cursor)
        }
        var answers: [(client: WaitingClients.Client, body: [UInt8])] = []
        for (scope, clients) in readers {
            let body = encode(page.limited(to: scope), scope.role)
            for client in clients {
                answers.append((client, body))
                if answers.count == WaitingClients.Slice.maximumCount { await send(&answers) }
            }
        }
        await send(&answers)
    }

    /// Answers some clients, and waits until they go on.
    private func send(_ answers: inout [(client: WaitingClients.Client, body: [UInt8])]) async {
        if answers.isEmpty { return }
        let slice = WaitingClients.Slice(count: answers.count)
        for (client, body) in answers {
            client.continuation.resume(returning: .ended(.success(body), slice))
        }
        answers = []
        await slice.wait()
    }

    /// Whether clients keep waiting after `error` until the database can be reached again or their
    /// wait times out.
    private static func canWait(for error: Problem) -> Bool {
        error.failure?.isTransient == true
    }

    private func fail(_ clients: [WaitingClients.Client], _ error: Problem) {
        for client in clients {
            client.continuation.resume(returning: .ended(.failure(error), nil))
        }
    }
}
