/// The name of a time zone in the IANA database, such as `Europe/Berlin`. A valid name need not be
/// in the database: ``ZoneSource/rules(of:)`` returns nil for an unknown one.
public struct ZoneID: Sendable, Hashable {
    /// The name of the time zone.
    public let name: String

    /// Creates a name from one or more parts that are separated by slashes. A part is not empty and
    /// consists of letters, digits, `+`, `-`, and `_`. The name has at most 64 bytes. Nil for any
    /// other text.
    ///
    /// The name is a safe relative path: it cannot refer to a file outside the directory to which
    /// it is relative.
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
    /// The name of the time zone.
    public var description: String { name }
}
