/// Reads numbers with a fixed count of digits from bytes, from start to end.
struct DigitCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func number(digits: Int, in range: ClosedRange<Int>) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = next, byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
            position += 1
        }
        return range.contains(value) ? value : nil
    }

    mutating func skipZeroFraction() -> Bool {
        guard skip(".") || skip(",") else { return true }
        guard skip("0") else { return false }
        while skip("0") {}
        return true
    }

    mutating func offsetMinutes() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isNegative = next == UInt8(ascii: "-")
        guard skip("+") || skip("-"), let hours = number(digits: 2, in: 0...23) else { return nil }
        _ = skip(":")
        guard let minutes = number(digits: 2, in: 0...59) else { return nil }
        return (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }
}
