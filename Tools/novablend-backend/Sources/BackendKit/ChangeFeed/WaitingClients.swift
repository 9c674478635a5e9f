import BookingStorage

/// The clients that wait for changes, by their positions.
struct WaitingClients {
    /// How a wait ends.
    enum Outcome {
        /// There is a change, or a failure.
        case ended(Result<[UInt8], StoreError>)
        /// Nothing that the client may see has changed in time. The position is after the rest.
        case unchanged(ChangeCursor)
        /// Too many clients wait already.
        case rejected
    }

    struct Client {
        /// Its number among all clients since the start.
        var number: UInt64
        /// What it may see.
        var role: Principal.Role
        var deadline: ContinuousClock.Instant
        var continuation: UnsafeContinuation<Outcome, Never>
    }

    private var groups: [ChangeCursor: [UInt64: Client]] = [:]

    // There are few positions, because all clients are moved to that of the last change.
    var count: Int { groups.values.reduce(0) { $0 + $1.count } }

    mutating func insert(_ client: Client, at cursor: ChangeCursor) {
        groups[cursor, default: [:]][client.number] = client
    }

    /// Removes a client, and returns it with its position; nil if it does not wait.
    mutating func remove(_ number: UInt64) -> (client: Client, cursor: ChangeCursor)? {
        for cursor in groups.keys {
            guard let client = groups[cursor]?.removeValue(forKey: number) else { continue }
            if groups[cursor]?.isEmpty == true { groups[cursor] = nil }
            return (client, cursor)
        }
        return nil
    }

    /// Removes the clients whose time has passed, and returns them with their positions.
    mutating func removeExpired(
        at now: ContinuousClock.Instant
    ) -> [(client: Client, cursor: ChangeCursor)] {
        let expired = groups.flatMap { cursor, clients in
            clients.values.filter { $0.deadline <= now }.map { ($0, cursor) }
        }
        for (client, _) in expired { _ = remove(client.number) }
        return expired
    }

    /// The positions of clients before the position of the last change.
    func positions(outdatedBy latest: ChangeCursor) -> [ChangeCursor] {
        groups.keys.filter { $0.isOutdated(by: latest) }
    }

    /// Removes the clients at a position that may see a change of the page after it, and returns
    /// them by what they may see. Moves the others to the end of the page.
    mutating func removeReaders(
        of page: ChangePage,
        at cursor: ChangeCursor
    ) -> [Principal.Role: [Client]] {
        let (clients, readers) = (removeAll(at: cursor), page.readers)
        for client in clients where readers?.contains(client.role) == false {
            insert(client, at: page.cursor)
        }
        return Dictionary(
            grouping: clients.filter { readers?.contains($0.role) ?? true },
            by: \.role
        )
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
