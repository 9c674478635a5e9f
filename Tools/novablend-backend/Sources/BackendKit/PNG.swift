/// Writes PNG files (RFC 2083) that show a square of one color. The pixels are not compressed (RFC
/// 1951, section 3.2.4).
enum PNG {
    private static let side: UInt8 = 24

    static func square(red: UInt8, green: UInt8, blue: UInt8) -> [UInt8] {
        let size = UInt32(side)
        // Width, height, 8 bits per channel, color type RGB, default methods, not interlaced.
        let header = bytes(size) + bytes(size) + [8, 2, 0, 0, 0]
        let pixels = repeatElement([red, green, blue], count: Int(side)).joined()
        // Each row begins with its filter type: none.
        let rows = repeatElement([0] + pixels, count: Int(side)).joined()
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header)
            + chunk("IDAT", zlib(Array(rows)))
            + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bytes(UInt32(data.count)) + body + bytes(crc32(body))
    }

    /// A zlib stream with one uncompressed block, so `data` is limited to 65,535 bytes.
    private static func zlib(_ data: [UInt8]) -> [UInt8] {
        let count = UInt16(truncatingIfNeeded: data.count)
        let length = [UInt8(count & 0xFF), UInt8(count >> 8)]
        return [0x78, 0x01, 0x01] + length + length.map { ~$0 } + data + bytes(adler32(data))
    }

    private static func crc32(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in
                rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1
            }
        }
    }

    private static func adler32(_ data: [UInt8]) -> UInt32 {
        let (low, high) = data.reduce((1, 0) as (UInt32, UInt32)) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        return high << 16 | low
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
