/// The identifier of a model: a UUID (RFC 9562). The case of its letters does not matter.
public struct Identifier: Sendable, Hashable {
    /// The length of the text of an identifier.
    public static let textLength = 36

    private let high: UInt64
    private let low: UInt64

    /// Creates an identifier from its 128 bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses the 8-4-4-4-12 form in either case. Returns nil for any other text.
    public init?(_ text: String) {
        var text = text
        let value = text.withUTF8 { Identifier(utf8: $0) }
        guard let value else { return nil }
        self = value
    }

    /// Parses the 8-4-4-4-12 form from its UTF-8 bytes. Returns nil for any other text.
    public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == Self.textLength else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        let dash = UInt8(ascii: "-")
        guard bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash,
            Self.append(bytes[0..<8], to: &high), Self.append(bytes[9..<13], to: &high),
            Self.append(bytes[14..<18], to: &high), Self.append(bytes[19..<23], to: &low),
            Self.append(bytes[24..<36], to: &low)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Appends hexadecimal digits to `half`. Returns false if a byte is not one. It does not branch
    /// per digit: the branch would be unpredictable, and each list element has 32 digits.
    private static func append(_ digits: Slice<UnsafeBufferPointer<UInt8>>, to half: inout UInt64)
        -> Bool
    {
        var areHex = true
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            let letter = (byte | 0x20) &- UInt8(ascii: "a")
            areHex = areHex && (digit < 10 || letter < 6)
            half = half << 4 | UInt64(digit < 10 ? digit : letter &+ 10)
        }
        return areHex
    }
}

extension Identifier: LosslessStringConvertible {
    /// The 8-4-4-4-12 form in lower case, as RFC 9562 requires for output.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.textLength) { buffer in
            var position = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let half = digit < 16 ? high : low
                let nibble = UInt8(half >> UInt64(60 - 4 * (digit % 16)) & 0xF)
                buffer[position] = nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10
                position += 1
            }
            return position
        }
    }
}

extension Identifier {
    /// A random UUID, version 4 (RFC 9562, section 5.4): 122 bits from `generator`.
    public static func random(using generator: inout some RandomNumberGenerator) -> Identifier {
        let (high, low) = (generator.next(), generator.next())
        return Identifier(
            high: high & ~0xF000 | 0x4000,
            low: low & ~(0b11 << 62) | 0b10 << 62
        )
    }

    /// A random UUID, version 4, from the system's generator.
    public static func random() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}

/// The identifier of a salon.
public typealias SalonID = Identifier

/// The id of an element of any list, as a server chose it: a UUID, or any other text. UUIDs are equal if
/// their letters differ only in case, and any other text only if it is the same.
public enum ElementKey: Sendable, Hashable {
    /// A UUID.
    case uuid(Identifier)
    /// Any other text.
    case text(String)
}

extension ElementKey: LosslessStringConvertible {
    /// Reads an id.
    public init(_ text: String) { self = Identifier(text).map { .uuid($0) } ?? .text(text) }

    /// The id as text; a UUID in lower case.
    public var description: String {
        switch self {
        case .uuid(let id): id.description
        case .text(let text): text
        }
    }
}
