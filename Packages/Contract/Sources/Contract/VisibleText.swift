/// Shows text from callers and servers in a question or a message, on one line.
///
/// Characters that cannot be seen, or that change how the text around them looks, become escapes
/// such as `\n` and `\u{202E}`, except joiners and the emoji selector. Backslashes are escaped,
/// too, so the original text can be reconstructed.
public enum VisibleText {
    /// The maximum number of characters to show: more than any text that this program books has.
    public static let maximumLength = 4_000

    /// `text` on one line. A text with more than `maximum` characters is cut there, and the number of
    /// omitted characters follows.
    public static func line(_ text: String, maximum: Int = maximumLength) -> String {
        let shown = text.unicodeScalars.prefix(maximum)
        let hidden = text.unicodeScalars.count - shown.count
        let line = shown.map(visible).joined()
        return hidden == 0 ? line : line + "... (\(hidden) more characters)"
    }

    private static func visible(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\\": "\\\\"
        case _ where isHidden(scalar): "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: String(scalar)
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Joiners and the emoji selector, which emoji and several scripts need.
        case 0x200C, 0x200D, 0xFE0F: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            return true
        case .spaceSeparator: return scalar != " "
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
