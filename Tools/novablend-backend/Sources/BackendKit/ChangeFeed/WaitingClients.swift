import BookingStorage

/// The clients that wait for changes, by their position and what they may see.
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
        var deadline: ContinuousClock.Instant
        var continuation: UnsafeContinuation<Outcome, Never>
    }

    /// The clients at a position, by a number of their own.
    private typealias Group = [Principal.Role: [UInt64: Client]]

    private var groups: [ChangeCursor: Group] = [:]
    private(set) var count = 0

    mutating func insert(
        _ client: Client,
        _ number: UInt64,
        for role: Principal.Role,
        at cursor: ChangeCursor
    ) {
        groups[cursor, default: [:]][role, default: [:]][number] = client
        count += 1
    }

    /// Removes a client, and returns it with its position; nil if it does not wait.
    mutating func remove(
        _ number: UInt64,
        for role: Principal.Role
    ) -> (client: Client, cursor: ChangeCursor)? {
        // There are few positions, because all clients are moved to that of the last change.
        for cursor in groups.keys {
            guard let client = groups[cursor]?[role]?.removeValue(forKey: number) else { continue }
            count -= 1
            removeIfEmpty(role, at: cursor)
            return (client, cursor)
        }
        return nil
    }

    /// Removes the clients whose time has passed, and returns them with their positions.
    mutating func removeExpired(
        at now: ContinuousClock.Instant
    ) -> [(client: Client, cursor: ChangeCursor)] {
        var expired: [(Client, ChangeCursor)] = []
        for (cursor, group) in groups {
            for (role, clients) in group {
                let waiting = clients.filter { $0.value.deadline > now }
                guard waiting.count < clients.count else { continue }
                expired += clients.values.filter { $0.deadline <= now }.map { ($0, cursor) }
                groups[cursor]?[role] = waiting
                removeIfEmpty(role, at: cursor)
            }
        }
        count -= expired.count
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
        guard var others = groups.removeValue(forKey: cursor) else { return [:] }
        var readers: [Principal.Role: [Client]] = [:]
        for role in page.readers ?? Set(others.keys) {
            if let clients = others.removeValue(forKey: role) {
                readers[role] = Array(clients.values)
                count -= clients.count
            }
        }
        if !others.isEmpty {
            groups[page.cursor, default: [:]].merge(others) { $0.merging($1) { first, _ in first } }
        }
        return readers
    }

    /// Removes all clients at a position.
    mutating func removeAll(at cursor: ChangeCursor) -> [Client] {
        let group = groups.removeValue(forKey: cursor) ?? [:]
        let clients = group.values.flatMap(\.values)
        count -= clients.count
        return clients
    }

    /// Removes all clients.
    mutating func removeAll() -> [Client] {
        defer { self = WaitingClients() }
        return groups.values.flatMap { $0.values.flatMap(\.values) }
    }

    private mutating func removeIfEmpty(_ role: Principal.Role, at cursor: ChangeCursor) {
        if groups[cursor]?[role]?.isEmpty == true { groups[cursor]?[role] = nil }
        if groups[cursor]?.isEmpty == true { groups[cursor] = nil }
    }
}
