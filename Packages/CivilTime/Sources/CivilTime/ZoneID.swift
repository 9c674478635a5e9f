/// The name of a time zone in IANA's database, like `Europe/Berlin`. A valid name need not exist:
/// ask a ``ZoneSource``.
public struct ZoneID: Sendable, Hashable {
    /// The name.
    public let name: String

    /// Makes a name of at most 64 letters, digits, `+`, `-`, and `_`, in nonempty parts separated by
    /// slashes; nil for anything else. Appended to a directory's path, it never leaves that
    /// directory.
    public init?(_ name: String) {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard name.utf8.count <= 64,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isAllowed) })
        else { return nil }
        self.name = name
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension ZoneID: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
