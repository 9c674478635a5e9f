import Foundation

/// Files and directories, identified by their indices in `nodes`. The root is node 0.
struct Tree: Sendable {
    enum Node: Sendable {
        case file([UInt8])
        case directory([String: Int])
    }

    var nodes: [Node] = [.directory([:])]

    func entry(_ name: String, of directory: Int) -> Int? {
        guard case .directory(let entries) = nodes[directory] else { return nil }
        return entries[name]
    }

    func parent(of directory: Int) -> Int {
        nodes.firstIndex { node in
            guard case .directory(let entries) = node else { return false }
            return entries.values.contains(directory)
        } ?? 0
    }

    mutating func apply(_ change: Change) {
        switch (nodes[change.node], change.kind) {
        case (.file(let bytes), .write(let offset, let new)):
            let gap = [UInt8](repeating: 0, count: max(0, offset - bytes.count))
            let rest = bytes.dropFirst(offset + new.count)
            nodes[change.node] = .file(bytes.prefix(offset) + gap + new + rest)
        case (.file(let bytes), .truncate(let length)):
            let gap = [UInt8](repeating: 0, count: max(0, length - bytes.count))
            nodes[change.node] = .file(bytes.prefix(length) + gap)
        case (.directory(var entries), .link(let name, let node)):
            entries[name] = node
            nodes[change.node] = .directory(entries)
        case (.directory(var entries), .unlink(let name)):
            entries[name] = nil
            nodes[change.node] = .directory(entries)
        case (.directory(var entries), .rename(let from, let to, let node)):
            entries[from] = nil
            entries[to] = node
            nodes[change.node] = .directory(entries)
        default: break
        }
    }

    /// The node at the absolute `path`.
    func node(at path: String) -> Int? {
        path.split(separator: "/").reduce(0) { node, name in
            node.flatMap { entry(String(name), of: $0) }
        }
    }

    /// The files below the directory `path`: the bytes for each relative path, nil for a directory.
    func content(of path: String) -> [String: [UInt8]?] {
        node(at: path).map { content(of: $0, "") } ?? [:]
    }

    private func content(of node: Int, _ path: String) -> [String: [UInt8]?] {
        switch nodes[node] {
        case .file(let bytes): [path: bytes]
        case .directory(let entries):
            entries.reduce(into: [path: nil]) { content, entry in
                content.merge(self.content(of: entry.value, path + "/" + entry.key)) { $1 }
            }
        }
    }
}
