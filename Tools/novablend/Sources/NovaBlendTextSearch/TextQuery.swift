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
        func folded(_ text: String) -> [UInt8] {
            TextFold.bytes(of: text.filter { !$0.isWhitespace })
        }
        return folded(one) == folded(other)
    }

    /// Whether each word of the query is in one of `texts`. A query without words is found in all
    /// texts.
    ///
    /// A match that begins at the start of a word ignores spaces in the text: "nightowl" is in "Night
    /// Owl", but "tow" is not.
    package func isFound(in texts: [String?]) -> Bool {
        var missing = words[...]
        for case let text? in texts {
            if missing.isEmpty { return true }
            Self.removeWords(in: text, from: &missing)
        }
        return missing.isEmpty
    }

    private static func removeWords(in text: String, from words: inout ArraySlice<[UInt8]>) {
        // Most text is ASCII, which can be searched in place.
        let isSearched: Bool? = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
            removeWords(in: bytes, from: &words)
            return true
        }
        if isSearched == true { return }
        TextFold.bytes(of: text).withUnsafeBufferPointer { removeWords(in: $0, from: &words) }
    }

    private static func removeWords(
        in text: UnsafeBufferPointer<UInt8>,
        from words: inout ArraySlice<[UInt8]>
    ) {
        if words.count == 1 {
            if contains(text, words[words.startIndex]) { words = [] }
        } else {
            words = words.filter { !contains(text, $0) }[...]
        }
    }

    private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ word: [UInt8]) -> Bool {
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
