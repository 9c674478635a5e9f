/// The word at the cursor in bash, which replaces only the end of it.
struct BashWord {
    /// What precedes the replaced part, without quotes.
    private let head: String.UnicodeScalarView
    private let quote: Unicode.Scalar?

    /// Nil if the word does not end with `replaced`.
    init?(_ line: TypedLine, replacing replaced: String) {
        let (raw, replaced) = (line.rawWord.unicodeScalars, replaced.unicodeScalars)
        guard raw.suffix(replaced.count).elementsEqual(replaced) else { return nil }
        head = TypedLine(String(raw.dropLast(replaced.count)), in: .bash).word.unicodeScalars
        quote = line.quote
    }

    /// The replacement with which the whole word means `value`; nil if the part before it means
    /// something else.
    func replacement(by value: String) -> String? {
        let value = value.unicodeScalars
        guard value.starts(with: head) else { return nil }
        var text = String.UnicodeScalarView()
        for scalar in value.dropFirst(head.count) { append(scalar, to: &text) }
        return String(text)
    }

    private func append(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
        switch (quote, scalar) {
        case ("'", "'"): text.append(contentsOf: #"'\''"#.unicodeScalars)
        case ("'", _): text.append(scalar)
        // In double quotes, a backslash does not prevent the history expansion.
        case ("\"", "!"): text.append(contentsOf: #""'!'""#.unicodeScalars)
        case ("\"", "\""), ("\"", "\\"), ("\"", "$"), ("\"", "`"),
            (nil, _) where !Self.isPlain(scalar):
            text.append("\\")
            text.append(scalar)
        default: text.append(scalar)
        }
    }

    /// Whether it means itself outside of quotes.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "\u{80}"...: true
        default: "-_./,:@%+=".unicodeScalars.contains(scalar)
        }
    }
}
