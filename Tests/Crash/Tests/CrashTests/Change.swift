/// A change of a file or directory. A crash may undo it as long as it is not durable.
struct Change: Sendable {
    enum Kind: Sendable {
        case write(at: Int, bytes: [UInt8])
        case truncate(to: Int)
        case link(name: String, node: Int)
        case unlink(name: String)
        case rename(from: String, to: String, node: Int)
    }

    /// The file or directory that is changed.
    var node: Int
    var kind: Kind
    var isDurable = false
    /// Whether an `fsync` of this change failed. The kernel may have dropped the change then, so
    /// that a later `fsync` does not make it durable.
    var isLost = false

    /// The possible results of this change after a crash; one of them is nil if it can leave nothing.
    var remnants: [Kind?] {
        if isDurable { return [kind] }
        guard case .write(let offset, let bytes) = kind else { return [kind, nil] }
        // An empty write at the end of the bytes: only the length of the file has changed.
        let lengths = Set([1, bytes.count / 2, bytes.count - 1]).sorted()
        return [kind, nil, .write(at: offset + bytes.count, bytes: [])]
            + lengths.map { .write(at: offset, bytes: Array(bytes[..<$0])) }
            + lengths.map { .write(at: offset + $0, bytes: Array(bytes[$0...])) }
    }
}
