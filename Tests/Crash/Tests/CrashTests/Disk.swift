import Foundation

/// A model of a disk with a write cache: all changes, and which of them are durable.
///
/// A change of a file becomes durable only by an `fsync` of the file, and a change of a directory
/// entry only by an `fsync` of the directory. Other changes may reach the disk in any order, or not
/// at all.
struct Disk: Sendable {
    /// The files as every process sees them.
    private(set) var current = Tree()
    /// The files before all `changes`.
    private var base = Tree()
    private var changes: [Change] = []

    /// A disk with a durable copy of the directory `path`.
    init(path: String) throws {
        var node = 0
        for name in path.split(separator: "/") {
            node = add(.directory([:]), String(name), in: node)
        }
        try fill(node, from: path)
        changes = []
        base = current
    }

    private mutating func fill(_ node: Int, from path: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let file = path + "/" + name
            if let bytes = FileManager.default.contents(atPath: file) {
                _ = add(.file([UInt8](bytes)), name, in: node)
            } else {
                try fill(add(.directory([:]), name, in: node), from: file)
            }
        }
    }

    mutating func add(_ new: Tree.Node, _ name: String, in directory: Int) -> Int {
        current.nodes.append(new)
        // A new node is empty; its content comes with later changes.
        base.nodes.append(new)
        apply(Change(node: directory, kind: .link(name: name, node: current.nodes.count - 1)))
        return current.nodes.count - 1
    }

    mutating func apply(_ change: Change) {
        changes.append(change)
        current.apply(change)
    }

    mutating func synchronize(_ node: Int) {
        for index in changes.indices where changes[index].node == node {
            changes[index].isDurable = !changes[index].isLost
        }
    }

    /// Simulates a failed `fsync`. For a directory it has no effect, because a later `fsync` can
    /// succeed: the file system's journal still has the changes.
    mutating func failToSynchronize(_ node: Int) {
        guard case .file = current.nodes[node] else { return }
        for index in changes.indices where changes[index].node == node {
            changes[index].isLost = !changes[index].isDurable
        }
    }

    var durableCount: Int { changes.count { $0.isDurable } }

    /// The number of states that a crash can leave now.
    var crashCount: Int { changes.reduce(1) { $0 * $1.remnants.count } }

    /// One of the states that a crash can leave now, for each number below ``crashCount``.
    func crashed(_ number: Int) -> Tree {
        var tree = base
        var number = number
        for change in changes {
            let remnants = change.remnants
            if let kind = remnants[number % remnants.count] {
                tree.apply(Change(node: change.node, kind: kind))
            }
            number /= remnants.count
        }
        return tree
    }
}
