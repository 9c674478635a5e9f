package import Domain
package import Persistence

/// The metadata of a stored list.
///
/// The metadata consists of three lines and the validators. The lines are the URL, `part` or
/// `whole` and the cursor, and the validation stamp. None of them can contain a line feed.
struct SnapshotMetadata {
    /// The identity of the URL that the list came from; nil if none was configured.
    var url: String?
    /// Whether only a part of a list is stored: its beginning, or the appointments that were booked
    /// before any list was loaded.
    var isPart = false
    /// The position in the server's feed of changes up to which the list is current.
    var cursor: String?
    /// The stamp that lets the codec restore the payload without validating it again.
    var validationStamp: String?
    /// The validators for a conditional request.
    var validators: String?

    private static let lineFeed = UInt8(ascii: "\n")
    private static let part = "part"
}

extension SnapshotMetadata {
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func nextLine() -> String? {
            let line = rest.prefix { $0 != Self.lineFeed }
            rest = rest[line.endIndex...].dropFirst()
            return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
        }
        url = nextLine()
        let extent = nextLine()?.split(separator: " ", maxSplits: 1) ?? []
        isPart = extent.first == Self.part[...]
        cursor = extent.dropFirst().first.map(String.init)
        validationStamp = nextLine()
        validators = rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    var bytes: [UInt8] {
        let extent = (isPart ? Self.part : "whole") + (cursor.map { " " + $0 } ?? "")
        let lines = [url ?? "", extent, validationStamp ?? "", validators ?? ""]
        return Array(lines.joined(separator: "\n").utf8)
    }
}

extension SnapshotStore {
    /// When the cached list `name` was last current, and whether it is the whole list; nil if it is
    /// not cached.
    package func age(of name: String) -> (fetchedAt: Timestamp, isComplete: Bool)? {
        guard let tail = try? tail(of: name, after: nil) else { return nil }
        let isPart = SnapshotMetadata(tail.metadata).isPart
        return (tail.savedAt, !isPart)
    }
}
