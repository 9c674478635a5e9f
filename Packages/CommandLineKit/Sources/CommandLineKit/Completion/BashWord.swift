/// The word at the cursor in bash. When a user accepts a completion, bash replaces only the end of
/// this word.
///
/// The methods work on UTF-8 bytes, because there may be many candidates.
struct BashWord {
    /// The part of the word before the replaced part, without quotes.
    private let start: [UInt8]
    private let quote: Unicode.Scalar?

    /// Finds the word in a command line; nil if the word does not end with `replaced`.
    init?(_ line: TypedLine, replacing replaced: String) {
        let (raw, replaced) = (line.rawWord.unicodeScalars, replaced.unicodeScalars)
        guard raw.suffix(replaced.count).elementsEqual(replaced) else { return nil }
        start = Array(TypedLine(String(raw.dropLast(replaced.count)), in: .bash).word.utf8)
        quote = line.quote
    }

    /// The replacement with which the whole word means `value`; nil if `value` does not begin with
    /// the part that bash keeps.
    func replacement(by value: String) -> [UInt8]? {
        let value = value.utf8
        guard value.starts(with: start) else { return nil }
        var text: [UInt8] = []
        for byte in value.dropFirst(start.count) { append(byte, to: &text) }
        return text
    }

    private func append(_ byte: UInt8, to text: inout [UInt8]) {
        switch (quote, byte) {
        case ("'", UInt8(ascii: "'")): text += #"'\''"#.utf8
        case ("'", _): text.append(byte)
        // In double quotes, a backslash does not prevent history expansion.
        case ("\"", UInt8(ascii: "!")): text += #""'!'""#.utf8
        case ("\"", _) where #""\$`"#.utf8.contains(byte), (nil, _) where !Self.isPlain(byte):
            text.append(UInt8(ascii: "\\"))
            text.append(byte)
        default: text.append(byte)
        }
    }

    /// Whether a byte has no special meaning outside of quotes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: "-_./,:@%+=".utf8.contains(byte)
        }
    }
}
