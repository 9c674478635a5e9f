import BookingStorage

/// The clients that wait for changes, by the feed position after which they wait.
struct WaitingClients {
    /// How a wait ends.
    enum Outcome {
        /// There is a change, or a failure.
        case ended(Result<[UInt8], StoreError>)
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

    private var groups: [ChangeCursor: [UInt64: Client]] = [:]

    // There are few positions, because all clients are moved to that of the last change.
    var count: Int { groups.values.reduce(0) { $0 + $1.count } }

    mutating func insert(_ client: Client, at cursor: ChangeCursor) {
        groups[cursor, default: [:]][client.number] = client
    }

    /// Removes a client, and returns it with its feed position; nil if it does not wait.
    mutating func remove(_ number: UInt64) -> (client: Client, cursor: ChangeCursor)? {
        for cursor in groups.keys {
            guard let client = groups[cursor]?.removeValue(forKey: number) else { continue }
            if groups[cursor]?.isEmpty == true { groups[cursor] = nil }
            return (client, cursor)
        }
        return nil
    }

    /// Removes the clients whose deadline has passed, and returns them with their feed positions.
    mutating func removeExpired(
        at now: ContinuousClock.Instant
    ) -> [(client: Client, cursor: ChangeCursor)] {
        let expired = groups.flatMap { cursor, clients in
            clients.values.filter { $0.deadline <= now }.map { ($0, cursor) }
        }
        for (client, _) in expired { _ = remove(client.number) }
        return expired
    }

    /// The feed positions of waiting clients that are before that of the last change.
    func positions(outdatedBy latest: ChangeCursor) -> [ChangeCursor] {
        groups.keys.filter { $0.isOutdated(by: latest) }
    }

    /// Removes the clients that wait at `cursor` and get a change in `page`, which follows it, and
    /// returns them grouped by scope. Moves the other clients to the end of the page.
    mutating func removeReaders(
        of page: ChangePage,
        at cursor: ChangeCursor
    ) -> [ChangeScope: [Client]] {
        let (clients, readers) = (removeAll(at: cursor), page.readers)
        for client in clients where !readers.include(client.scope) {
            insert(client, at: page.cursor)
        }
        return Dictionary(grouping: clients.filter { readers.include($0.scope) }, by: \.scope)
    }

    /// Removes all clients at a position.
    mutating func removeAll(at cursor: ChangeCursor) -> [Client] {
        groups.removeValue(forKey: cursor).map { Array($0.values) } ?? []
    }

    /// Removes all clients.
    mutating func removeAll() -> [Client] {
        defer { groups = [:] }
        return groups.values.flatMap(\.values)
    }
}
