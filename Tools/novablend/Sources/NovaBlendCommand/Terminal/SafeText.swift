/// Text from elsewhere as it may be shown: nothing in it moves the cursor, changes a setting of the
/// terminal or turns the direction of what follows.
enum SafeText {
    /// One line: line ends and tabs become spaces, all else that is not to be seen is replaced.
    static func line(_ text: String) -> String {
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

    /// The same, but its line ends stay.
    static func lines(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { line(String($0)) }.joined(separator: "\n")
    }

    /// JSON with the control characters escaped that JSON itself lets through: they stand in
    /// strings alone, so that it means the same.
    static func json(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return bytes }
        var safe: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x7F {
                safe += Array("\\u007f".utf8)
            } else if byte == 0xC2, let next = rest.first, (0x80...0x9F).contains(next) {
                safe += Array("\\u00\(String(next, radix: 16))".utf8)
                rest.removeFirst()
            } else {
                safe.append(byte)
            }
        }
        return safe
    }

    private static func isSpacing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        // Marks, embeddings, overrides and isolates of direction.
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
