/// Words to search for, regardless of case, accents, and spaces.
package struct TextQuery {
    /// A folded word, without the punctuation that is often left out.
    package struct Word: Hashable {
        fileprivate let bytes: [UInt8]
        /// The number of bytes that are not optional.
        fileprivate let minimum: Int

        fileprivate init?(_ folded: some Sequence<UInt8>) {
            bytes = folded.filter { !TextFold.isJoiner($0) }
            minimum = bytes.count { !TextFold.isOptional($0) }
            if bytes.isEmpty { return nil }
        }
    }

    /// The words, the longest first: long words rule out most texts.
    private let words: [Word]

    /// Makes a query of the words in `text`. A comma or a slash separates words, too.
    package init(_ text: String) {
        let words = TextFold.bytes(of: text).split(whereSeparator: TextFold.isSeparator)
        self.words = Set(words.compactMap(Word.init)).sorted { $0.bytes.count > $1.bytes.count }
    }

    /// Whether two texts are equal, regardless of case, accents, spaces, and punctuation.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (letters(of: one), letters(of: other))
        return one == other
            || other.withUnsafeBufferPointer {
                TextMatch(ignored: { _ in false }).isWhole(one, of: $0)
            }
    }

    /// A form of a text in UTF-8 that is the same for all texts that differ only in case, accents,
    /// spaces, and punctuation.
    package static func folded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        isASCII(text)
            ? text.filter { !isLeftOut($0) }.map(TextFold.lowered)
            : folded(String(decoding: text, as: UTF8.self))
    }

    /// A form of a text that is the same for all texts that differ only in case, accents, spaces, and
    /// punctuation.
    package static func folded(_ text: String) -> [UInt8] {
        letters(of: text).compactMap { byte in
            if !TextFold.isOptional(byte) { return byte }
            return TextFold.isCommon(byte) ? TextFold.letter(byte) : nil
        }
    }

    /// The folded forms of the texts that are the same as `text` in ``isSame(_:_:)``: `gruen` is `Gruen`
    /// or `Grün`. Some of the forms are also those of other texts.
    package static func foldedForms(_ text: String) -> Set<[UInt8]> {
        var forms: Set<[UInt8]> = [[]]
        var last: UInt8 = 0
        for byte in letters(of: text) {
            let letter = TextFold.letter(byte)
            let isUncertain =
                TextFold.isOptional(byte) ? !TextFold.isCommon(byte) : isPair(last, letter)
            // Few names have several such letters.
            let shorter = isUncertain && forms.count <= 16 ? forms : []
            forms = Set(forms.map { $0 + [letter] }).union(shorter)
            last = letter
        }
        return forms.union([folded(text)])
    }

    /// Whether two letters can be the longer spelling of one letter.
    private static func isPair(_ first: UInt8, _ second: UInt8) -> Bool {
        switch second {
        case UInt8(ascii: "e"): "aou".utf8.contains(first)
        case UInt8(ascii: "a"): first == UInt8(ascii: "a")
        case UInt8(ascii: "h"), UInt8(ascii: "j"): first == UInt8(ascii: "d")
        default: false
        }
    }

    private static func letters(of text: String) -> [UInt8] {
        TextFold.bytes(of: text).filter { !isLeftOut($0) }
    }

    private static func isLeftOut(_ byte: UInt8) -> Bool {
        TextFold.isSeparator(byte) || TextFold.isJoiner(byte)
    }

    /// A hash of ``folded(_:)``. It differs between runs of the program.
    package static func foldedHash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        if isASCII(text) {
            for byte in text where !isLeftOut(byte) {
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
    /// Owl", but "tow" is not. Any match ignores apostrophes, hyphens, and periods.
    package func isFound(in texts: [String?]) -> Bool {
        words.allSatisfy { word in texts.contains { $0.map { Self.contains($0, word) } ?? false } }
    }

    /// Whether each word of the query is in one of two texts, which are in UTF-8, or `isElsewhere`.
    package func isFound(
        in one: UnsafeBufferPointer<UInt8>,
        _ other: UnsafeBufferPointer<UInt8>,
        orElse isElsewhere: (Word) -> Bool = { _ in false }
    ) -> Bool {
        words.allSatisfy {
            Self.contains(one, $0) || Self.contains(other, $0) || isElsewhere($0)
        }
    }

    /// Whether a text has a word.
    package static func contains(_ text: String, _ word: Word) -> Bool {
        var text = text
        return text.withUTF8 { contains($0, word) }
    }

    /// Whether a text in UTF-8 has a word.
    package static func contains(_ text: UnsafeBufferPointer<UInt8>, _ word: Word) -> Bool {
        // Most text is ASCII, which can be searched in place.
        if isASCII(text) { return hasFolded(text, word) }
        let folded = TextFold.bytes(of: String(decoding: text, as: UTF8.self))
        return folded.withUnsafeBufferPointer { hasFolded($0, word) }
    }

    private static func isASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.reduce(0, |) < 0x80
    }

    private static func hasFolded(_ text: UnsafeBufferPointer<UInt8>, _ word: Word) -> Bool {
        guard text.count >= word.minimum else { return false }
        let first = word.bytes[0]
        return (0...text.count - word.minimum).contains { start in
            TextFold.lowered(text[start]) == first && isPrefix(word, of: text, from: start)
        }
    }

    private static func isPrefix(
        _ word: Word,
        of text: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Bool {
        let isStart = start == 0 || isLeftOut(text[start - 1])
        return isStart
            ? TextMatch(ignored: isLeftOut).isPrefix(word.bytes, of: text, from: start)
            : TextMatch(ignored: TextFold.isJoiner).isPrefix(word.bytes, of: text, from: start)
    }
}

/// Compares a folded word with a text, which is folded or ASCII. Either may have optional bytes.
struct TextMatch {
    /// Whether a byte of the text is skipped.
    let ignored: (UInt8) -> Bool

    /// Whether the text from `start` begins with the word.
    func isPrefix(
        _ word: [UInt8],
        of text: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Bool {
        var (matched, position) = (0, start)
        while matched < word.count {
            let byte = word[matched]
            // An optional byte is followed in several ways at once.
            if TextFold.isOptional(byte) { return !ends(of: word, in: text, from: start).isEmpty }
            guard position < text.count else { return false }
            if TextFold.lowered(text[position]) == byte {
                matched += 1
            } else if TextFold.isOptional(text[position]) {
                return !ends(of: word, in: text, from: start).isEmpty
            } else if !ignored(text[position]) {
                return false
            }
            position += 1
        }
        return true
    }

    /// Whether the text is the word.
    func isWhole(_ word: [UInt8], of text: UnsafeBufferPointer<UInt8>) -> Bool {
        skipped(ends(of: word, in: text, from: 0), in: text).contains(text.count)
    }

    /// The positions after the word in the text. There are several if the text could be read in
    /// several ways. Their number, and so the time, grows only with the length of the text.
    private func ends(
        of word: [UInt8],
        in text: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Set<Int> {
        var positions: Set<Int> = [start]
        for byte in word {
            let letter = TextFold.letter(byte)
            let next = skipped(positions, in: text).filter {
                $0 < text.count && TextFold.lowered(TextFold.letter(text[$0])) == letter
            }
            let passed = TextFold.isOptional(byte) ? positions : []
            positions = Set(next.map { $0 + 1 }).union(passed)
            if positions.isEmpty { return [] }
        }
        return positions
    }

    /// `positions` and those that follow after bytes that are optional or skipped.
    private func skipped(
        _ positions: Set<Int>,
        in text: UnsafeBufferPointer<UInt8>
    ) -> Set<Int> {
        var all = positions
        for var position in positions {
            while position < text.count,
                TextFold.isOptional(text[position]) || ignored(text[position])
            {
                position += 1
                all.insert(position)
            }
        }
        return all
    }
}
