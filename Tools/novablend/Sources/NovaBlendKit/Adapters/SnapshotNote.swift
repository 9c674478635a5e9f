import Persistence

/// What is kept beside the payload of a resource.
///
/// The bytes are the validators, as ever; before them a mark and a line where there is a seal, or a
/// mark alone where only the beginning of a list is kept. No validator has such a character.
struct SnapshotNote {
    /// Whether only the beginning of a list is kept.
    var isPart = false
    /// What the codec needs to take the payload back unread.
    var seal: String?
    /// What to ask the remote with.
    var validators: String?

    private static let partMark: UInt8 = 1
    private static let sealMark: UInt8 = 2
    private static let lineFeed = UInt8(ascii: "\n")

    init(isPart: Bool = false, seal: String? = nil, validators: String? = nil) {
        (self.isPart, self.seal, self.validators) = (isPart, seal, validators)
    }

    init(_ metadata: [UInt8]) {
        if metadata == [Self.partMark] {
            isPart = true
            return
        }
        var rest = metadata[...]
        if rest.first == Self.sealMark {
            let line = rest.dropFirst().prefix { $0 != Self.lineFeed }
            seal = String(decoding: line, as: UTF8.self)
            rest = rest[line.endIndex...].dropFirst()
        }
        validators = rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    var metadata: [UInt8] {
        if isPart { return [Self.partMark] }
        let sealed = seal.map { [Self.sealMark] + Array($0.utf8) + [Self.lineFeed] } ?? []
        return sealed + Array((validators ?? "").utf8)
    }
}
