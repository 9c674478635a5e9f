extension HTTPResponse {
    /// How many seconds ago the origin server generated or validated the response, from 0 to
    /// 2,147,483,647. Shared caches report this in the `Age` header.
    ///
    /// Nil if the header is absent or is not a number. Only its first value counts (RFC 9111,
    /// section 5.1).
    public var age: Int? {
        guard let text = headers["Age"] else { return nil }
        let first = text.prefix { $0 != "," }
        return Int(deltaSeconds: first).map { min($0, Int(Int32.max)) }
    }
}

extension Int {
    /// Parses `delta-seconds`, digits with optional surrounding whitespace (RFC 9111, section
    /// 1.2.2). A number that is too large becomes `Int.max`.
    init?(deltaSeconds text: some StringProtocol) {
        let digits = text.trimmingWhitespace
        guard !digits.isEmpty,
            digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        self = Int(digits) ?? .max
    }
}

extension StringProtocol {
    fileprivate var trimmingWhitespace: SubSequence {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let end = lastIndex { !isBlank($0) }.map { index(after: $0) } ?? startIndex
        return self[..<end].drop(while: isBlank)
    }
}
