/// The name of a time zone in IANA's database, like `Europe/Berlin`. Whether there is such a zone,
/// a ``ZoneSource`` knows.
public struct ZoneID: Sendable, Hashable {
    /// The name.
    public let name: String

    /// Takes a name of at most 64 letters, digits, `+`, `-` and `_`, in parts between slashes: no
    /// part can name a directory above, so a name is safe below a directory.
    public init?(_ name: String) {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard name.utf8.count <= 64, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isFit) })
        else { return nil }
        self.name = name
    }

    private static func isFit(_ byte: UInt8) -> Bool {
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
