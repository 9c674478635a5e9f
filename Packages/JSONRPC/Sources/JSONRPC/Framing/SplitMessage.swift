/// A message on several indented lines, as many programs print JSON. Framing by lines cannot read it, and
/// should not report each of its lines.
enum SplitMessage {
    static let reason = "a message must be on one line, without line feeds between its members"

    /// Whether a line can be the first line of a split message: an opening bracket, perhaps
    /// followed by members, of which the last one is not finished.
    static func begins(with line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first, let last = lastCharacter(of: line) else { return false }
        return "{[".utf8.contains(first) && "{[,:".utf8.contains(last)
    }

    /// Whether a line can belong to a split message, or begin the next one: it is indented, closes
    /// the message, or begins one. A complete object is a message of its own.
    static func contains(_ line: ArraySlice<UInt8>) -> Bool {
        guard let text = line.firstIndex(where: { $0 > 0x20 }), let last = lastCharacter(of: line)
        else { return true }
        if "}]".utf8.contains(line[text]) || begins(with: line) { return true }
        return text > line.startIndex
            && !("{[".utf8.contains(line[text]) && "}]".utf8.contains(last))
    }

    private static func lastCharacter(of line: ArraySlice<UInt8>) -> UInt8? {
        line.last { $0 > 0x20 }
    }
}
