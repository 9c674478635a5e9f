/// Breaks text into lines for a screen of 80 columns.
enum WrappedText {
    private static let width = 78

    /// Breaks `text` into lines. Each line except the first is indented by `indent` spaces.
    ///
    /// - Parameter used: How many columns of the first line are already used.
    static func lines(_ text: String, used: Int = 0, indent: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = used
        for word in text.split(separator: " ") {
            let needed = DisplayWidth.of(String(word)) + (line.isEmpty ? 0 : 1)
            if !line.isEmpty, used + needed > width {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
                used = DisplayWidth.of(line)
            } else {
                line += (line.isEmpty ? "" : " ") + word
                used += needed
            }
        }
        return lines + [line]
    }

    /// A term and its meaning, which begins at `column`, on the next line if the term is too long.
    static func entry(_ term: String, _ meaning: String, column: Int = 26) -> String {
        let indent = String(repeating: " ", count: column)
        let head = "  \(term)"
        let fits = head.count + 2 <= column
        let gap = fits ? String(repeating: " ", count: column - head.count) : "\n\(indent)"
        return head + gap + lines(meaning, used: column, indent: column).joined(separator: "\n")
    }
}
