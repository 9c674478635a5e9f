/// The absolute URL of an image's data, with its original spelling.
public struct ImageURL: Sendable, Hashable {
    /// The original text of the URL.
    public let description: String

    /// The maximum length in bytes. Many servers reject longer URLs.
    public static let maximumBytes = 8_192

    /// Creates a URL from an absolute URL (RFC 3986, section 4.3) without spaces or control
    /// characters. Returns nil for any other text.
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

    /// Whether the scheme is `http` or `https`. Images with other schemes are not fetched.
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
