/// Base64 encoding (RFC 4648).
public enum Base64 {
    /// Encodes bytes with padding (section 4). The result is ASCII and needs no escaping in JSON.
    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
        encode(bytes, standardAlphabet, padding: UInt8(ascii: "="))
    }

    /// Encodes bytes for URLs and file names, without padding (section 5).
    public static func encodeURL(_ bytes: [UInt8]) -> String {
        String(decoding: encode(bytes, urlAlphabet, padding: nil), as: UTF8.self)
    }

    /// Decodes text that ``encodeURL(_:)`` returned; nil for any other text, such as text with
    /// padding or with nonzero unused bits.
    public static func decodeURL(_ text: String) -> [UInt8]? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3 + 2)
        var (group, bits): (UInt32, UInt32) = (0, 0)
        for character in text.utf8 {
            guard let digit = urlDigit(character) else { return nil }
            group = group << 6 | digit
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> bits))
                group &= (1 << bits) - 1
            }
        }
        return group == 0 ? bytes : nil
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardAlphabet = Array("\(letters)+/".utf8)
    private static let urlAlphabet = Array("\(letters)-_".utf8)

    private static func encode(
        _ bytes: [UInt8],
        _ alphabet: [UInt8],
        padding: UInt8?
    ) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
            }
            for digit in 0..<4 {
                if digit <= count {
                    text.append(alphabet[Int(group >> UInt32(18 - 6 * digit) & 63)])
                } else if let padding {
                    text.append(padding)
                }
            }
        }
        return text
    }

    private static func urlDigit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
