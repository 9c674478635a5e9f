/// A command line of which a shell's user has typed everything up to the cursor.
struct TypedLine {
    /// The words before the one at the cursor, without quotes.
    private(set) var words: [String] = []
    /// The word at the cursor, without quotes.
    private(set) var word = ""
    /// The word at the cursor, as it was typed.
    private(set) var rawWord = ""
    /// The quotation mark that is open at the cursor; nil for none.
    private(set) var quote: Unicode.Scalar?

    private let shell: Program.Shell
    private var isEscaped = false

    init(_ line: String, in shell: Program.Shell) {
        self.shell = shell
        for scalar in line.unicodeScalars { add(scalar) }
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        if !isEscaped, quote == nil, [" ", "\t", "\n"].contains(scalar) { return endWord() }
        rawWord.unicodeScalars.append(scalar)
        if isEscaped {
            isEscaped = false
            if !isEscapable(scalar) { word.append("\\") }
            word.unicodeScalars.append(scalar)
        } else if scalar == "\\", quote != "'" || shell == .fish {
            isEscaped = true
        } else if scalar == quote {
            quote = nil
        } else if quote == nil, scalar == "'" || scalar == "\"" {
            quote = scalar
        } else {
            word.unicodeScalars.append(scalar)
        }
    }

    /// Whether the shell removes a backslash in front of the character.
    private func isEscapable(_ scalar: Unicode.Scalar) -> Bool {
        switch quote {
        case "'": scalar == "'" || scalar == "\\"
        case "\"": ["\"", "\\", "$", "`"].contains(scalar)
        default: true
        }
    }

    private mutating func endWord() {
        if !rawWord.isEmpty { words.append(word) }
        (word, rawWord) = ("", "")
    }
}
