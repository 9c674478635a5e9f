extension JSONWriter {
    /// Writes an integer.
    public mutating func integer(_ number: some FixedWidthInteger) {
        guard let magnitude = UInt64(exactly: number.magnitude) else {
            return literal(number.description)
        }
        digits(magnitude, isNegative: number < 0)
    }

    /// Writes the shortest text that parses to the same number; `null` if it is not finite.
    public mutating func number(_ number: Double) {
        if number.isFinite { literal(number.description) } else { null() }
    }

    /// Writes the digits that identify the number among all of type `Float`; `null` if it is not
    /// finite.
    mutating func number(_ number: Float) {
        if number.isFinite { literal(number.description) } else { null() }
    }

    /// Writes a number of hundredths with two decimals: 930 becomes `9.30`.
    public mutating func number(hundredths: Int) {
        digits(UInt64(hundredths.magnitude), isNegative: hundredths < 0, decimals: 2)
    }

    private mutating func literal(_ text: String) {
        var text = text
        text.withUTF8 { literal($0) }
    }

    /// Writes the digits, with the last `decimals` digits after a decimal point and at least one
    /// digit before it. Avoids making a String, because lists contain many such numbers.
    private mutating func digits(_ magnitude: UInt64, isNegative: Bool, decimals: Int = 0) {
        // 20 digits, a decimal point, and a sign.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22) { buffer in
            var start = buffer.count
            func put(_ byte: UInt8) {
                start -= 1
                buffer[start] = byte
            }
            var (rest, written) = (magnitude, 0)
            repeat {
                if decimals > 0, written == decimals { put(UInt8(ascii: ".")) }
                put(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
                written += 1
            } while rest > 0 || written <= decimals
            if isNegative { put(UInt8(ascii: "-")) }
            literal(UnsafeBufferPointer(rebasing: buffer[start...]))
        }
    }
}
