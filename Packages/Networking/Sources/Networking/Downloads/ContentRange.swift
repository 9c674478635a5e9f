/// The value of a `Content-Range` field in bytes (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    /// The position of the first byte; nil if the range is not satisfiable.
    let start: Int?
    /// The size of the whole representation; nil if the server does not know it.
    let total: Int?

    /// Reads the range of a response; nil if the response has no valid range.
    init?(_ response: HTTPResponse) {
        guard let text = response.headers["Content-Range"] else { return nil }
        self.init(text)
    }

    /// Whether no byte exists at `position` because the representation ends there.
    func isEnd(at position: Int) -> Bool { start == nil && total == position }

    /// Parses `bytes 5-9/10`, `bytes 5-9/*`, or `bytes */10`; nil for any other text.
    init?(_ text: String) {
        guard text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = Self.number(parts[1])
        if parts[0] == "*" {
            guard let total else { return nil }
            (start, self.total) = (nil, total)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, total.map({ last < $0 }) ?? (parts[1] == "*")
        else { return nil }
        (start, self.total) = (first, total)
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
    }
}
