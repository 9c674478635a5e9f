/// A change that a crash may undo as long as it is not durable.
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
    /// Whether a synchronization of it failed: the kernel may have dropped it then, and another one
    /// does not make it durable.
    var isDoubtful = false

    /// What of it a crash can leave.
    var remnants: [Kind?] {
        if isDurable { return [kind] }
        guard case .write(let place, let bytes) = kind else { return [kind, nil] }
        // Behind all its bytes nothing is left of it but the length of the file.
        let cuts = Set([1, bytes.count / 2, bytes.count - 1]).sorted()
        return [kind, nil, .write(at: place + bytes.count, bytes: [])]
            + cuts.map { .write(at: place, bytes: Array(bytes[..<$0])) }
            + cuts.map { .write(at: place + $0, bytes: Array(bytes[$0...])) }
    }
}
