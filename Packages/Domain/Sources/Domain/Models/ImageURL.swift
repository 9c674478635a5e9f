/// The URL of an image's data: absolute, and preserved as it was written.
public struct ImageURL: Sendable, Hashable {
    /// The URL as it was written.
    public let description: String

    /// The longest URL, in bytes: beyond that servers refuse them.
    public static let maximumBytes = 8_192

    /// Takes an absolute URL (RFC 3986, section 4.3) without spaces; nil for anything else.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= Self.maximumBytes,
            !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let first = bytes.first, Self.isLetter(first),
            bytes[..<colon].allSatisfy(Self.isOfScheme),
            bytes.index(after: colon) < bytes.endIndex
        else { return nil }
        description = text
    }

    /// Whether it is one of http or https: nothing else is fetched.
    public var isWeb: Bool {
        let start = description.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
}

extension ImageURL: LosslessStringConvertible {}
