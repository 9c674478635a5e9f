/// Writes numbers, and text between them, to a buffer from start to end.
struct DigitWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var position = 0

    /// Writes to `buffer`, which must be large enough.
    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    @inline(__always)
    mutating func put(_ character: Unicode.Scalar) {
        buffer[position] = UInt8(ascii: character)
        position += 1
    }

    mutating func put(text: StaticString) {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        _ = UnsafeMutableBufferPointer(rebasing: buffer[position...]).update(fromContentsOf: bytes)
        position += bytes.count
    }

    /// Writes a number from 0 to 99 with two digits.
    @inline(__always)
    mutating func put(twoDigits number: Int) {
        let number = UInt8(number)
        buffer[position] = UInt8(ascii: "0") + number / 10
        buffer[position + 1] = UInt8(ascii: "0") + number % 10
        position += 2
    }

    /// Writes a number with as many digits as it has, at most 19. A negative one is written as 0.
    mutating func put(_ number: Int) {
        let start = position
        var rest = max(number, 0)
        repeat {
            buffer[position] = UInt8(ascii: "0") + UInt8(rest % 10)
            position += 1
            rest /= 10
        } while rest > 0
        buffer[start..<position].reverse()
    }
}
