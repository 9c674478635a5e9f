import Foundation

/// A model of a disk with a cache before it: what was changed, and which of it is durable.
///
/// A change of a file is durable once the file was synchronized, a change of an entry once its
/// directory was; nothing else makes it so, and nothing keeps their order.
struct Disk: Sendable {
    /// What every process sees.
    private(set) var seen = Tree()
    private var base = Tree()
    private var changes: [Change] = []

    /// The disk with the folder `path`, and all that is in it, durable.
    init(path: String) throws {
        var node = 0
        for name in path.split(separator: "/") {
            node = add(.directory([:]), String(name), in: node)
        }
        try fill(node, from: path)
        changes = []
        base = seen
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
        seen.nodes.append(new)
        // It comes empty: what is in it is changed later.
        base.nodes.append(new)
        apply(Change(node: directory, kind: .link(name: name, node: seen.nodes.count - 1)))
        return seen.nodes.count - 1
    }

    mutating func apply(_ change: Change) {
        changes.append(change)
        seen.apply(change)
    }

    mutating func synchronize(_ node: Int) {
        for index in changes.indices where changes[index].node == node {
            changes[index].isDurable = !changes[index].isDoubtful
        }
    }

    /// As when the synchronization of a file fails. That of a directory can be tried again: its
    /// changes are in the file system's own log.
    mutating func failToSynchronize(_ node: Int) {
        guard case .file = seen.nodes[node] else { return }
        for index in changes.indices where changes[index].node == node {
            changes[index].isDoubtful = !changes[index].isDurable
        }
    }

    var durableCount: Int { changes.count { $0.isDurable } }

    /// How many states a crash can leave now.
    var crashCount: Int { changes.reduce(1) { $0 * $1.remnants.count } }

    /// The state that a crash leaves now, one for each number below ``crashCount``.
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
