/// Folds text for comparison: to lower case, without marks such as accents, and with some letters
/// spelled out. `Straße`, `STRASSE`, and `strasse` become equal, and so do `Señor` and `senor`, whether
/// accents are composed or decomposed.
///
/// Some letters have two common spellings without marks: `ø` is written `o` or `oe`. Their folded form
/// is the first letter, followed by an *optional* byte, which stands for the second one.
enum TextFold {
    /// The folded text in UTF-8, with optional bytes.
    static func bytes(of text: String) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { append(scalar, to: &folded) }
        return folded
    }

    /// Whether a byte of a folded text is optional.
    static func isOptional(_ byte: UInt8) -> Bool { byte >= firstOptional }

    /// The letter that an optional byte stands for; any other byte unchanged.
    static func letter(_ byte: UInt8) -> UInt8 {
        isOptional(byte) ? optionalLetters[Int(byte - firstOptional)] : byte
    }

    /// Whether an optional byte stands for a letter of the more common spelling, like the second `s` of
    /// `ß`, but unlike the `e` of `ö`.
    static func isCommon(_ byte: UInt8) -> Bool { byte >= firstOptional + 4 }

    /// An ASCII byte in lower case; any other byte unchanged.
    static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Whether a byte separates words: ASCII white space, or punctuation such as a comma. Only `&`, `+`,
    /// and signs like them are part of a word.
    static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09...0x0D, 0x20, UInt8(ascii: "!"), UInt8(ascii: "\""), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: ":"),
            UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "|"):
            true
        default: false
        }
    }

    /// Whether a byte is punctuation within words that is often left out: an apostrophe, a hyphen, a
    /// period, or an underscore.
    static func isJoiner(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "`"):
            true
        default: false
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        switch scalar.value {
        case 0..<0x80: folded.append(lowered(UInt8(truncatingIfNeeded: scalar.value)))
        case 0x308, 0x30A:
            // A decomposed umlaut or ring.
            if let base = folded.last, let optional = optional(mark: scalar.value, after: base) {
                folded.append(optional)
            }
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
        if let whole = spelling(of: scalar) { return whole }
        let base = letters[scalar] ?? scalar
        return base.properties.lowercaseMapping.unicodeScalars.flatMap { lower -> [UInt8] in
            switch lower.properties.generalCategory {
            case .nonspacingMark, .format: []
            case .dashPunctuation: [UInt8(ascii: "-")]
            case .spaceSeparator: [UInt8(ascii: " ")]
            default: spelling(of: lower) ?? Array(String(lower).utf8)
            }
        }
    }

    /// The spelling of a letter, or of the letter in lower case; nil if it has none in the table.
    private static func spelling(of scalar: Unicode.Scalar) -> [UInt8]? {
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        guard let text = spellings[lower.count == 1 ? lower.first ?? scalar : scalar] else {
            return nil
        }
        var bytes: [UInt8] = []
        var bracket: UInt8?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["): bracket = byte
            case UInt8(ascii: ")"), UInt8(ascii: "]"): bracket = nil
            default:
                bytes.append(
                    bracket.flatMap { optional(byte, isCommon: $0 == UInt8(ascii: "[")) } ?? byte
                )
            }
        }
        return bytes
    }

    /// The first byte that is never part of UTF-8, apart from 0xC0 and 0xC1.
    private static let firstOptional: UInt8 = 0xF5
    /// The letters that optional bytes stand for. The first four are of the less common spelling.
    private static let optionalLetters = Array("aehjseh".utf8) + Array("????".utf8)

    private static func optional(_ letter: UInt8, isCommon: Bool) -> UInt8? {
        let indices = isCommon ? 4..<7 : 0..<4
        return indices.first { optionalLetters[$0] == letter }.map { firstOptional + UInt8($0) }
    }

    private static func optional(mark: UInt32, after base: UInt8) -> UInt8? {
        switch (mark, base) {
        case (0x308, UInt8(ascii: "a")), (0x308, UInt8(ascii: "o")), (0x308, UInt8(ascii: "u")):
            optional(UInt8(ascii: "e"), isCommon: false)
        case (0x30A, UInt8(ascii: "a")): optional(UInt8(ascii: "a"), isCommon: false)
        default: nil
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

    /// The spellings of letters without marks. A letter in parentheses or brackets is optional; in
    /// brackets, it is usually written. Also the usual forms of apostrophes and quotation marks.
    private static let spellings: [Unicode.Scalar: String] = [
        "ä": "a(e)", "ǟ": "a(e)", "ö": "o(e)", "ȫ": "o(e)", "ṏ": "o(e)", "ø": "o(e)", "ǿ": "o(e)",
        "ü": "u(e)", "ǖ": "u(e)", "ǘ": "u(e)", "ǚ": "u(e)", "ǜ": "u(e)", "ṻ": "u(e)",
        "å": "a(a)", "ǻ": "a(a)", "æ": "a[e]", "ǣ": "a[e]", "ǽ": "a[e]", "œ": "o[e]",
        "ß": "s[s]", "þ": "t[h]", "ð": "d(h)", "đ": "d(j)", "ħ": "h", "ı": "i", "ĳ": "ij",
        "ĸ": "k", "ł": "l", "ŀ": "l", "ŋ": "n", "ŧ": "t", "ƀ": "b", "ſ": "s", "ς": "σ", "µ": "μ",
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "ʻ": "'", "ʼ": "'", "ʹ": "'", "´": "'", "′": "'",
        "·": "'", "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"", "−": "-",
    ]
}
