/// Splits a command line without a shell. White space separates words, except between single or
/// double quotes. No other character is special, not even a backslash.
public enum CommandWords {
    /// The words of `line`; nil if a quote is not closed.
    public static func split(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if "'\"".contains(character) {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { return nil }
        return words + (word.map { [$0] } ?? [])
    }
}
