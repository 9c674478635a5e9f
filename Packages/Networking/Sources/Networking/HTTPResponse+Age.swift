extension HTTPResponse {
    /// How many seconds ago the origin server generated or validated the response, from 0 to
    /// 2,147,483,647. Shared caches report this in the `Age` header.
    ///
    /// Nil if the header is absent or is not a number. Only its first value counts (RFC 9111,
    /// section 5.1).
    public var age: Int? {
        guard let text = headers["Age"] else { return nil }
        let first = text.utf8.prefix { $0 != UInt8(ascii: ",") }
        return Int(deltaSeconds: Substring(first)).map { min($0, Int(Int32.max)) }
    }
}

extension Int {
    /// Parses `delta-seconds`, digits with optional surrounding whitespace (RFC 9111, section
    /// 1.2.2). A number that is too large becomes `Int.max`.
    init?(deltaSeconds text: some StringProtocol) {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let front = Array(text.utf8.drop(while: isBlank))
        let digits = front.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard !digits.isEmpty, front[digits.endIndex...].allSatisfy(isBlank) else { return nil }
        self = Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}
