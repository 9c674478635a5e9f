/// The grammar of `tracestate` (W3C Trace Context, level 1, section 3.3.1).
enum TraceState {
    /// Whether the value has 1 to 32 members, and at most 512 characters, which every system passes on.
    static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= 512 else { return false }
        let members = text.utf8.split(separator: UInt8(ascii: ",")).map(trimmed)
            .filter { !$0.isEmpty }
        return (1...32).contains(members.count) && members.allSatisfy(isMember)
    }

    private typealias Bytes = Substring.UTF8View

    private static func trimmed(_ bytes: Bytes) -> Bytes {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isMember(_ bytes: Bytes) -> Bool {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let value = bytes[bytes.index(after: equals)...]
        return isKey(bytes[..<equals]) && (1...256).contains(value.count)
            && value.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    /// Whether the bytes are the name of a system, or of a tenant at a system.
    private static func isKey(_ bytes: Bytes) -> Bool {
        let names = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return switch names.count {
        case 1: isName(names[0], ofAtMost: 256)
        case 2:
            isName(names[0], ofAtMost: 241, mayStartWithDigit: true)
                && isName(names[1], ofAtMost: 14)
        default: false
        }
    }

    private static func isName(
        _ bytes: Bytes,
        ofAtMost limit: Int,
        mayStartWithDigit: Bool = false
    ) -> Bool {
        guard let first = bytes.first, bytes.count <= limit else { return false }
        return (isLetter(first) || mayStartWithDigit && isDigit(first))
            && bytes.allSatisfy { isLetter($0) || isDigit($0) || "_-*/".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
