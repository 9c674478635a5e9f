/// Half of a surrogate pair in the text of a JSON string: an escape sequence such as `\ud83d`, or the
/// three bytes that some programs write for it. Programs that cut strings by UTF-16 units send it.
enum LoneSurrogate {
    private static let replacement = Array("\u{FFFD}".utf8)

    /// The length of the character at a backslash or a byte ED, and whether it is half of a pair.
    static func length(
        at position: Int,
        in text: UnsafeRawBufferPointer
    ) -> (bytes: Int, isLone: Bool) {
        let rest = text[position...]
        if rest.first == 0xED {
            let next = rest.dropFirst().prefix(2)
            let isLone =
                next.count == 2 && (0xA0...0xBF).contains(next[position + 1])
                && (0x80...0xBF).contains(next[position + 2])
            return isLone ? (3, true) : (1, false)
        }
        guard let unit = codeUnit(at: position, in: text) else { return (2, false) }
        guard UTF16.isSurrogate(unit) else { return (6, false) }
        if UTF16.isLeadSurrogate(unit), let second = codeUnit(at: position + 6, in: text),
            UTF16.isTrailSurrogate(second)
        {
            return (12, false)
        }
        return (6, true)
    }

    /// Returns the text of a string with U+FFFD in place of each half.
    static func replaced(in string: [UInt8]) -> [UInt8] {
        string.withUnsafeBytes { text in
            var output: [UInt8] = []
            output.reserveCapacity(text.count)
            var position = 0
            while position < text.count {
                let byte = text[position]
                guard byte == UInt8(ascii: "\\") || byte == 0xED else {
                    output.append(byte)
                    position += 1
                    continue
                }
                let (length, isLone) = length(at: position, in: text)
                if isLone {
                    output += replacement
                } else {
                    output += text[position...].prefix(length)
                }
                position += length
            }
            return output
        }
    }

    /// The code unit of the escape sequence at `start`, such as `\u00e9`; nil for other text.
    private static func codeUnit(at start: Int, in text: UnsafeRawBufferPointer) -> UInt16? {
        guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"),
            text[start + 1] == UInt8(ascii: "u")
        else { return nil }
        return text[(start + 2)..<(start + 6)].reduce(0) { (unit: UInt16?, byte) in
            guard let unit, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
                byte < 0x80
            else { return nil }
            return unit << 4 | UInt16(digit)
        }
    }
}
