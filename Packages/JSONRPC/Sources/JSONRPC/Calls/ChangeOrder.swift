/// Which calls wait for which changes: each call waits for the earlier changes to its data.
struct ChangeOrder {
    private struct Node {
        /// How many changes it waits for.
        var pendingCount: Int
        /// The calls that wait for it.
        var dependents: [UInt64] = []
        /// The data that it changes; nil for all data.
        let changes: Set<String>?
    }

    /// The changes that have not ended, and the calls that wait for them.
    private var nodes: [UInt64: Node] = [:]
    /// The last change to each kind of data. It waits for those before it.
    private var last: [String: UInt64] = [:]
    /// The last change to all data.
    private var lastToAll: UInt64?

    /// Whether there are no changes, and no calls that wait for one.
    var isEmpty: Bool { nodes.isEmpty }
    /// Whether a new call may have to wait.
    var hasChanges: Bool { !last.isEmpty || lastToAll != nil }

    /// Adds a call; true if it waits for nothing. `access` is nil for all data.
    mutating func add(_ number: UInt64, _ access: DataAccess?, isChange: Bool) -> Bool {
        if !isChange, !hasChanges { return true }
        let names = access.map { isChange ? $0.reads.union($0.changes) : $0.reads }
        var earlier = Set(names.map { $0.compactMap { last[$0] } } ?? Array(last.values))
        if let lastToAll, names?.isEmpty != true { earlier.insert(lastToAll) }
        for change in earlier { nodes[change]?.dependents.append(number) }
        guard isChange || !earlier.isEmpty else { return true }
        let changes = isChange ? access?.changes : []
        nodes[number] = Node(pendingCount: earlier.count, changes: changes)
        if let changes {
            for name in changes { last[name] = number }
        } else {
            (last, lastToAll) = ([:], number)
        }
        return earlier.isEmpty
    }

    /// Whether a call waits for a change.
    func isWaiting(_ number: UInt64) -> Bool {
        nodes[number].map { $0.pendingCount > 0 } ?? false
    }

    /// Removes a call that has ended; returns those that wait for nothing now, in their order.
    mutating func remove(_ number: UInt64) -> [UInt64] {
        guard let node = nodes.removeValue(forKey: number) else { return [] }
        if lastToAll == number { lastToAll = nil }
        for name in node.changes ?? [] where last[name] == number { last[name] = nil }
        return node.dependents.filter { dependent in
            nodes[dependent]?.pendingCount -= 1
            return nodes[dependent]?.pendingCount == 0
        }
    }
}
