import Persistence

/// The metadata of a stored list.
///
/// It consists of three lines and the validators. The lines are the URL, `part` or `whole`, and the
/// validation stamp. None of them can contain a line feed.
struct SnapshotMetadata {
    /// The identity of the URL that the list came from; nil if none was configured.
    var url: String?
    /// Whether only a part of a list is stored: its beginning, or the appointments that were booked
    /// before any list was loaded.
    var isPart = false
    /// The stamp that lets the codec restore the payload without validating it again.
    var validationStamp: String?
    /// The validators for a conditional request.
    var validators: String?

    private static let lineFeed = UInt8(ascii: "\n")
    private static let part = "part"

    init(
        url: String?,
        isPart: Bool = false,
        validationStamp: String? = nil,
        validators: String? = nil
    ) {
        (self.url, self.isPart, self.validationStamp) = (url, isPart, validationStamp)
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
        validationStamp = nextLine()
        validators = rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    var bytes: [UInt8] {
        let lines = [
            url ?? "", isPart ? Self.part : "whole", validationStamp ?? "", validators ?? "",
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }
}
