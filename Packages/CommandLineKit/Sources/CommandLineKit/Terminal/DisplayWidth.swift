/// Computes how many columns of a terminal a text occupies.
public enum DisplayWidth {
    /// The number of columns of a text.
    public static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    /// The columns of a character: 0 if it is invisible or combining, 2 if it is wide, otherwise 1.
    public static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        // Variation selector 16 requests the emoji presentation, which is wide.
        if scalars.contains(where: { $0.value == 0xFE0F }), scalars.count > 1 {
            return scalars.first?.properties.isEmoji == true ? 2 : 1
        }
        return scalars.reduce(0) { max($0, of($1)) }
    }

    /// The longest prefix of `text` that fits into `columns`.
    public static func prefix(of text: String, columns: Int) -> Substring {
        var width = 0
        var end = text.startIndex
        for index in text.indices {
            width += of(text[index])
            if width > columns { break }
            end = text.index(after: index)
        }
        return text[..<end]
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control: return 0
        // A soft hyphen is visible.
        case .format: return scalar.value == 0xAD ? 1 : 0
        default: break
        }
        let isWide =
            scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
        return isWide ? 2 : 1
    }

    /// East Asian Width W and F (Unicode Standard Annex 11), rounded to whole blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
