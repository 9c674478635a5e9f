/// Folds text for comparison: to lower case, without marks such as accents, and with some letters
/// spelled out. `Straße`, `STRASSE`, and `strasse` become equal, and so do `Señor` and `senor`, whether
/// accents are composed or decomposed.
enum TextFold {
    /// The folded text in UTF-8.
    static func bytes(of text: String) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { append(scalar, to: &folded) }
        return folded
    }

    /// An ASCII byte in lower case; any other byte unchanged.
    static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Whether an ASCII byte is white space.
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        switch scalar.value {
        case 0..<0x80: folded.append(lowered(UInt8(truncatingIfNeeded: scalar.value)))
        case 0x80..<tableEnd:
            var packed = table[Int(scalar.value) - 0x80]
            while packed != 0 {
                folded.append(UInt8(truncatingIfNeeded: packed))
                packed >>= 8
            }
        case 0xAC00...0xD7A3: appendJamo(ofSyllable: scalar.value - 0xAC00, to: &folded)
        // CJK ideographs and the other characters in this range have neither case nor marks.
        case tableEnd..<0xA000:
            folded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default: folded.append(contentsOf: fold(scalar))
        }
    }

    /// Appends the two or three letters of a Hangul syllable (Unicode, section 3.12).
    private static func appendJamo(ofSyllable index: UInt32, to folded: inout [UInt8]) {
        let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
        for value in index % 28 == 0 ? parts.dropLast() : parts[...] {
            guard let letter = Unicode.Scalar(value) else { continue }
            append(letter, to: &folded)
        }
    }

    private static let tableEnd: UInt32 = 0x3100

    /// The folded text of each scalar from 0x80 up to `tableEnd`: at most four bytes, with the first in
    /// the lowest bits.
    private static let table: [UInt32] = (0x80..<tableEnd).map { value in
        guard let scalar = Unicode.Scalar(value) else { return 0 }
        return fold(scalar).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func fold(_ scalar: Unicode.Scalar) -> [UInt8] {
        let base = letters[scalar] ?? scalar
        return base.properties.lowercaseMapping.unicodeScalars.flatMap { lower -> [UInt8] in
            if lower.properties.generalCategory == .nonspacingMark { return [] }
            return Array((spellings[lower] ?? String(lower)).utf8)
        }
    }

    /// Letters without marks, by the letter with marks.
    private static let letters: [Unicode.Scalar: Unicode.Scalar] = {
        var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
        for word in marked.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
            for letter in word.dropFirst() { letters[letter] = word.first }
        }
        return letters
    }()

    /// The spelling in base letters of letters that Unicode does not decompose.
    private static let spellings: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "þ": "th", "ð": "d", "đ": "d", "ħ": "h",
        "ı": "i", "ĳ": "ij", "ĸ": "k", "ł": "l", "ŀ": "l", "ŧ": "t", "ƀ": "b", "ſ": "s", "ς": "σ",
        "µ": "μ",
    ]
}
