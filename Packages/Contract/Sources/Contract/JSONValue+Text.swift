import JSON

extension JSONValue {
    /// The value as an integer in `range`. Otherwise throws a `mismatch` with the range, such as
    /// "a lead time from 0 to 60 minutes".
    func integer(
        in range: ClosedRange<Int>,
        _ name: String,
        _ unit: String = ""
    ) throws(JSONError) -> Int {
        let number = try integer()
        guard range.contains(number) else {
            let (low, high) = (range.lowerBound, range.upperBound)
            let suffix = unit.isEmpty ? "" : " \(unit)"
            throw mismatch(expected: "\(name) from \(low) to \(high)\(suffix)")
        }
        return number
    }

    /// What `parse` reads from the text.
    ///
    /// - Throws: A `mismatch` if it is not a string, or is not what is `expected`.
    @inline(__always)
    func text<Value>(
        _ expected: @autoclosure () -> String,
        _ parse: (UnsafeBufferPointer<UInt8>) -> Value?
    ) throws(JSONError) -> Value {
        guard let value = try withUTF8(parse) else { throw mismatch(expected: expected()) }
        return value
    }
}
