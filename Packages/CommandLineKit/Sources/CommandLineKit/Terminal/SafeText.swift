/// Makes untrusted text safe to print: the result cannot move the cursor, change a setting of the
/// terminal, or change the direction of text.
public enum SafeText {
    /// Returns text as one line. Line ends and tabs become spaces; other unsafe characters become
    /// U+FFFD.
    public static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isSpacing(scalar) {
                safe.append(" ")
            } else {
                safe.append(isUnsafe(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return String(safe)
    }

    /// Returns text as several lines. Line ends become line feeds, and tabs become spaces; other
    /// unsafe characters become U+FFFD.
    public static func lines(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { line(String($0)) }.joined(separator: "\n")
    }

    /// Escapes unsafe characters in the strings of valid JSON. The value stays the same, because
    /// JSON allows these characters only in strings.
    public static func json(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: isLeadByte),
            let text = String(validating: bytes, as: UTF8.self)
        else { return bytes }
        var safe = ""
        for scalar in text.unicodeScalars {
            if (0x7F...0xFFFF).contains(scalar.value), isUnsafe(scalar) {
                let digits = String(scalar.value, radix: 16)
                safe += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return Array(safe.utf8)
    }

    /// Whether the UTF-8 of an unsafe character, such as U+007F, U+0080, U+061C, or U+200E, may
    /// begin with `byte`.
    private static func isLeadByte(_ byte: UInt8) -> Bool {
        byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
    }

    /// Whether a character is a line end or a tab.
    private static func isSpacing(_ scalar: Unicode.Scalar) -> Bool {
        [0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029].contains(scalar.value)
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        // These represent bytes that are not UTF-8, in text from the system.
        case 0x10FE80...0x10FEFF: true
        // These are directional marks, embeddings, overrides, and isolates.
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
