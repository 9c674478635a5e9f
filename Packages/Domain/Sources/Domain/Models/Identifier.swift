/// The identity of a model: a UUID (RFC 9562), compared without regard to case.
public struct Identifier: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    /// Makes an identity from its 128 bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the 8-4-4-4-12 form in either case; nil for anything else.
    public init?(_ text: String) {
        var text = text
        let value = text.withUTF8 { Identifier(utf8: $0) }
        guard let value else { return nil }
        self = value
    }

    /// Reads the 8-4-4-4-12 form from its bytes; nil for anything else.
    public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (position, byte) in bytes.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.hexDigit(byte) else { return nil }
            if digits < 16 {
                halves.0 = halves.0 << 4 | digit
            } else {
                halves.1 = halves.1 << 4 | digit
            }
            digits += 1
        }
        (high, low) = halves
    }

    private static func hexDigit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension Identifier: LosslessStringConvertible {
    /// The 8-4-4-4-12 form in lower case, as RFC 9562 asks of writers.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
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
