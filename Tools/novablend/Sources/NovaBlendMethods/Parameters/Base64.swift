/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
            }
            for digit in 0..<4 {
                let value = alphabet[Int(group >> UInt32(18 - 6 * digit) & 63)]
                text.append(digit <= count ? value : UInt8(ascii: "="))
            }
        }
        return text
    }
}
