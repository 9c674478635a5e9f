package import Domain
import JSON
package import Persistence

/// The metadata of a stored list.
///
/// The metadata consists of six lines and the validators. The lines are the URL; `part` or `whole` and
/// the cursor; when the list was loaded, in seconds since 1970; a JSON array of own ids; the validation
/// stamp; and the owner. None of them can contain a line feed.
struct SnapshotMetadata {
    /// The identity of the URL that the list came from; nil if none was configured.
    var url: String?
    /// Whether only a part of a list is stored: its beginning, or the appointments that were booked
    /// before any list was loaded.
    var isPart = false
    /// The position in the server's feed of changes up to which the list is current.
    var cursor: String?
    /// When the list was last loaded by a request of its own; nil if it never was.
    var loadedAt: Timestamp?
    /// The ids of the elements that this program has changed since the list was loaded.
    var own: [ElementKey] = []
    /// The stamp that lets the codec restore the payload without validating it again.
    var validationStamp: String?
    /// Whose list it is.
    var owner = KnownSubjects.Owner()
    /// The validators for a conditional request.
    var validators: String?

    private static let lineFeed = UInt8(ascii: "\n")
    private static let part = "part"
    /// How many ids of own elements are stored. With more, the oldest ones are dropped, because the
    /// size of the metadata is limited.
    private static let maximumOwn = 256
    /// A longer id of an own element is not stored.
    private static let maximumIDSize = 128
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
        loadedAt = nextLine().flatMap { Int64($0) }.map { Timestamp(secondsSince1970: $0) }
        own = nextLine().map(Self.ids) ?? []
        validationStamp = nextLine()
        owner = KnownSubjects.Owner(line: nextLine() ?? "")
        validators = rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    var bytes: [UInt8] {
        let extent = (isPart ? Self.part : "whole") + (cursor.map { " " + $0 } ?? "")
        let ids = own.map(\.description).filter { $0.utf8.count <= Self.maximumIDSize }
        let ownText =
            ids.isEmpty
            ? "" : JSONFragment { Array(ids.suffix(Self.maximumOwn)).write(to: &$0) }.description
        let lines = [
            url ?? "", extent, loadedAt.map { "\($0.secondsSince1970)" } ?? "", ownText,
            validationStamp ?? "", owner.line, validators ?? "",
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func ids(_ text: String) -> [ElementKey] {
        guard let array = try? JSONDocument(parsing: Array(text.utf8)).root.array() else {
            return []
        }
        return array.compactMap { (try? $0.string()).map { ElementKey($0) } }
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
