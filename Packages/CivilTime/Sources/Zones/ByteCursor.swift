/// Reads big-endian numbers from bytes, from start to end. Every method returns nil if too few
/// bytes remain.
struct ByteCursor {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func byte() -> UInt8? { take(1)?.first }

    mutating func count() -> Int? { take(4)?.reduce(0) { $0 << 8 | Int($1) } }

    /// A signed number of `width` bytes, 1...8.
    mutating func signed(bytes width: Int) -> Int64? {
        guard let taken = take(width) else { return nil }
        let bits = taken.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let unused = UInt64(64 - 8 * width)
        return Int64(bitPattern: bits << unused) >> Int64(unused)
    }

    /// Consumes the rest of the line and its newline, and returns it without the newline.
    mutating func line() -> ArraySlice<UInt8>? {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { position = end + 1 }
        return bytes[position..<end]
    }
}
