/// Tracks which calls wait for which changes: each call waits for earlier changes to its data.
struct ChangeOrder {
    private struct Node {
        /// The number of changes that the call waits for.
        var pendingCount: Int
        /// The calls that wait for this call.
        var dependents: [UInt64] = []
        /// The data that the call changes; nil for all data.
        let changes: Set<String>?
    }

    /// The unfinished changes, and the calls that wait for them.
    private var nodes: [UInt64: Node] = [:]
    /// The last change to each kind of data. It waits for all earlier changes to that data.
    private var last: [String: UInt64] = [:]
    /// The last change to all data.
    private var lastToAll: UInt64?

    /// Whether there are neither changes nor calls that wait for one.
    var isEmpty: Bool { nodes.isEmpty }
    /// Whether there are unfinished changes, so that a new call may have to wait.
    var hasChanges: Bool { !last.isEmpty || lastToAll != nil }

    /// Adds a call; true if it does not have to wait. `access` is nil for all data.
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

    /// Removes a finished call; returns the calls that no longer have to wait, in order.
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
