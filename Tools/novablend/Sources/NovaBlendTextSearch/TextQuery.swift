/// Words to search for, regardless of case, accents, and spaces.
package struct TextQuery {
    /// The folded words, the longest first: long words rule out most texts.
    private let words: [[UInt8]]

    /// Makes a query of the words in `text`.
    package init(_ text: String) {
        let words = Set(
            text.split(whereSeparator: \.isWhitespace).map { TextFold.bytes(of: String($0)) }
        )
        self.words = words.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// Whether two texts are equal, regardless of case, accents, and spaces.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        folded(one) == folded(other)
    }

    /// A form of a text in UTF-8 that is the same for all texts that differ only in case, accents, and
    /// spaces.
    package static func folded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        isASCII(text)
            ? text.filter { !TextFold.isSpace($0) }.map(TextFold.lowered)
            : folded(String(decoding: text, as: UTF8.self))
    }

    /// A form of a text that is the same for all texts that differ only in case, accents, and spaces.
    package static func folded(_ text: String) -> [UInt8] {
        // Filtering scalars is much faster than filtering characters.
        let scalars = text.unicodeScalars.filter {
            $0.isASCII
                ? !TextFold.isSpace(UInt8(truncatingIfNeeded: $0.value))
                : !$0.properties.isWhitespace
        }
        return TextFold.bytes(of: String(scalars))
    }

    /// A hash that is the same for all texts that differ only in case, accents, and spaces. It differs
    /// between runs of the program.
    package static func foldedHash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        if isASCII(text) {
            for byte in text where !TextFold.isSpace(byte) {
                hasher.combine(TextFold.lowered(byte))
            }
        } else {
            for byte in folded(text) { hasher.combine(byte) }
        }
        return hasher.finalize()
    }

    /// Whether each word of the query is in one of `texts`. A query without words is found in all
    /// texts.
    ///
    /// A match that begins at the start of a word ignores spaces in the text: "nightowl" is in "Night
    /// Owl", but "tow" is not.
    package func isFound(in texts: [String?]) -> Bool {
        words.allSatisfy { word in
            texts.contains { text in
                guard var text else { return false }
                return text.withUTF8 { Self.contains($0, word) }
            }
        }
    }

    /// Whether each word of the query is in one of two texts, which are in UTF-8.
    package func isFound(
        in one: UnsafeBufferPointer<UInt8>,
        _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        words.allSatisfy { Self.contains(one, $0) || Self.contains(other, $0) }
    }

    private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ word: [UInt8]) -> Bool {
        // Most text is ASCII, which can be searched in place.
        if isASCII(text) { return hasFolded(text, word) }
        let folded = TextFold.bytes(of: String(decoding: text, as: UTF8.self))
        return folded.withUnsafeBufferPointer { hasFolded($0, word) }
    }

    private static func isASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.reduce(0, |) < 0x80
    }

    private static func hasFolded(_ text: UnsafeBufferPointer<UInt8>, _ word: [UInt8]) -> Bool {
        guard text.count >= word.count else { return false }
        return word.withUnsafeBufferPointer { word in
            (0...text.count - word.count).contains { start in
                TextFold.lowered(text[start]) == word[0] && isPrefix(word, of: text, from: start)
            }
        }
    }

    private static func isPrefix(
        _ word: UnsafeBufferPointer<UInt8>,
        of text: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Bool {
        let space = UInt8(ascii: " ")
        let ignoresSpaces = start == 0 || text[start - 1] == space
        var (matched, position) = (0, start)
        while matched < word.count {
            guard position < text.count else { return false }
            if TextFold.lowered(text[position]) == word[matched] {
                matched += 1
            } else if !ignoresSpaces || text[position] != space {
                return false
            }
            position += 1
        }
        return true
    }
}
