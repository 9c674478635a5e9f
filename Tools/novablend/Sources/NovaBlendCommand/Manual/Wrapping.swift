/// Breaks text into lines for a screen of 80 columns.
enum Wrapping {
    private static let width = 78

    /// The words of `text` in lines, each but the first begun with `indent` spaces; `first` columns
    /// of the first line are taken already.
    static func lines(_ text: String, first: Int = 0, indent: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = first
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

    /// A name, and what it is beside it, or below it where there is no room.
    static func entry(_ name: String, _ text: String, column: Int = 26) -> String {
        let indent = String(repeating: " ", count: column)
        let head = "  \(name)"
        let fits = head.count + 2 <= column
        let gap = fits ? String(repeating: " ", count: column - head.count) : "\n\(indent)"
        return head + gap + lines(text, first: column, indent: column).joined(separator: "\n")
    }
}
