/// Writes numbers with a fixed count of digits to a buffer, from start to end.
struct DigitWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var position = 0

    /// Writes to `buffer`, which must be large enough.
    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    mutating func put(_ character: Unicode.Scalar) {
        buffer[position] = UInt8(ascii: character)
        position += 1
    }

    /// Writes the last `digits` digits of a number that is not negative.
    mutating func put(_ number: Int, digits: Int) {
        var rest = number
        position += digits
        for distance in 1...digits {
            buffer[position - distance] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}
