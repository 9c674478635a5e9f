import BookingStorage
import Synchronization

/// The clients that wait for changes, by the feed position after which they wait and by what they
/// get. So a change costs as much as the clients that get it, however many others wait.
struct WaitingClients {
    /// How a wait ends.
    enum Outcome {
        /// There is a change, or a failure.
        case ended(Result<[UInt8], Problem>, Slice?)
        /// The wait timed out: nothing changed that the client may see. The cursor is after the
        /// changes that it may not see.
        case unchanged(ChangeCursor)
        /// Too many clients wait already.
        case rejected
    }

    struct Client {
        /// The number of the client, counted since the backend started.
        var number: UInt64
        /// Which changes the client gets.
        var scope: ChangeScope
        var deadline: ContinuousClock.Instant
        var continuation: UnsafeContinuation<Outcome, Never>
    }

    typealias Group = [ChangeScope: [UInt64: Client]]

    /// How many clients wait.
    private(set) var count = 0
    // There are few positions, because all clients are moved to that of the last change.
    private var groups: [ChangeCursor: Group] = [:]
    /// The clients whose deadlines are in the same second.
    private var deadlines: [Int64: [UInt64: ChangeScope]] = [:]

    private static let start = ContinuousClock.now

    private static func second(of instant: ContinuousClock.Instant) -> Int64 {
        (instant - start).components.seconds
    }

    mutating func insert(_ client: Client, at cursor: ChangeCursor) {
        groups[cursor, default: [:]][client.scope, default: [:]][client.number] = client
        let second = Self.second(of: client.deadline)
        deadlines[second, default: [:]][client.number] = client.scope
        count += 1
    }

    /// Removes a client, and returns it with its feed position; nil if it does not wait.
    mutating func remove(
        _ number: UInt64,
        in scope: ChangeScope
    ) -> (client: Client, cursor: ChangeCursor)? {
        for cursor in groups.keys {
            guard let client = groups[cursor]?[scope]?.removeValue(forKey: number) else { continue }
            if groups[cursor]?[scope]?.isEmpty == true { groups[cursor]?[scope] = nil }
            if groups[cursor]?.isEmpty == true { groups[cursor] = nil }
            forget(client)
            return (client, cursor)
        }
        return nil
    }

    /// Removes the clients whose deadline has passed, and returns them with their feed positions.
    mutating func removeExpired(
        at now: ContinuousClock.Instant
    ) -> [(client: Client, cursor: ChangeCursor)] {
        let current = Self.second(of: now)
        var expired: [(client: Client, cursor: ChangeCursor)] = []
        for second in deadlines.keys.filter({ $0 <= current }) {
            for (number, scope) in deadlines[second] ?? [:] {
                guard let (client, cursor) = remove(number, in: scope) else { continue }
                if client.deadline <= now {
                    expired.append((client, cursor))
                } else {
                    insert(client, at: cursor)
                }
            }
        }
        return expired
    }

    /// The feed positions of waiting clients that are before that of the last change.
    func positions(outdatedBy latest: ChangeCursor) -> [ChangeCursor] {
        groups.keys.filter { $0.isOutdated(by: latest) }
    }

    /// Removes the clients that wait at `cursor` and get a change in `page`, which follows it, and
    /// returns them by their scopes. Moves the other clients to the end of the page.
    mutating func removeReaders(
        of page: ChangePage,
        at cursor: ChangeCursor
    ) -> [(scope: ChangeScope, clients: [Client])] {
        guard var group = groups.removeValue(forKey: cursor) else { return [] }
        let readers = page.readers.scopes(among: group.keys).map { scope in
            (scope: scope, clients: Array((group.removeValue(forKey: scope) ?? [:]).values))
        }
        for (_, clients) in readers { for client in clients { forget(client) } }
        move(consume group, to: page.cursor)
        return readers
    }

    /// Adds a group to the clients at a position. Few clients are moved to many, not many to few.
    private mutating func move(_ group: consuming Group, to cursor: ChangeCursor) {
        guard var present = groups.removeValue(forKey: cursor) else {
            if !group.isEmpty { groups[cursor] = group }
            return
        }
        if present.count < group.count { swap(&present, &group) }
        for scope in Array(group.keys) {
            var large = present.removeValue(forKey: scope)
            var small = group.removeValue(forKey: scope)
            if large?.count ?? 0 < small?.count ?? 0 { swap(&large, &small) }
            large?.merge(small ?? [:]) { first, _ in first }
            present[scope] = large
        }
        groups[cursor] = present
    }

    /// Removes all clients at a position.
    mutating func removeAll(at cursor: ChangeCursor) -> [Client] {
        let clients = groups.removeValue(forKey: cursor)?.values.flatMap(\.values) ?? []
        for client in clients { forget(client) }
        return clients
    }

    /// Removes all clients.
    mutating func removeAll() -> [Client] {
        let clients = groups.values.flatMap { $0.values.flatMap(\.values) }
        self = WaitingClients()
        return clients
    }

    private mutating func forget(_ client: Client) {
        count -= 1
        let second = Self.second(of: client.deadline)
        deadlines[second]?[client.number] = nil
        if deadlines[second]?.isEmpty == true { deadlines[second] = nil }
    }
}

extension WaitingClients {
    /// Some of the clients that get the same change. The next ones are answered when these have begun
    /// to answer, so that other requests do not wait for all of them.
    final class Slice: Sendable {
        static let maximumCount = 64

        private struct State {
            var count: Int
            var continuation: UnsafeContinuation<Void, Never>?
        }

        private let state: Mutex<State>

        init(count: Int) { state = Mutex(State(count: count)) }

        /// Called by each client when it goes on.
        func clientContinues() {
            let continuation = state.withLock { state in
                state.count -= 1
                return state.count == 0 ? state.continuation.take() : nil
            }
            continuation?.resume()
        }

        /// Waits until all clients go on.
        func wait() async {
            await withUnsafeContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.count > 0 { state.continuation = continuation }
                    return state.count <= 0
                }
                if isOver { continuation.resume() }
            }
        }
    }
}
