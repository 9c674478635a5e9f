import Persistence

/// What is stored beside the payload of a list.
///
/// Three lines precede the validators: the URL, `part` or `whole`, and the seal. None of them can
/// contain a line feed.
struct SnapshotMetadata {
    /// The normalized URL that the list came from; nil if none was configured.
    var url: String?
    /// Whether only the beginning of a list is stored.
    var isPart = false
    /// What the codec needs to take the payload back unread.
    var seal: String?
    /// What to ask the server with.
    var validators: String?

    private static let lineFeed = UInt8(ascii: "\n")
    private static let part = "part"

    init(url: String?, isPart: Bool = false, seal: String? = nil, validators: String? = nil) {
        (self.url, self.isPart, self.seal) = (url, isPart, seal)
        self.validators = validators
    }

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func nextLine() -> String? {
            let line = rest.prefix { $0 != Self.lineFeed }
            rest = rest[line.endIndex...].dropFirst()
            return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
        }
        url = nextLine()
        isPart = nextLine() == Self.part
        seal = nextLine()
        validators = rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    var bytes: [UInt8] {
        let lines = [url ?? "", isPart ? Self.part : "whole", seal ?? "", validators ?? ""]
        return Array(lines.joined(separator: "\n").utf8)
    }
}
