/// What a text that is not UTF-8 is probably encoded in.
enum FileEncoding {
    /// What spreadsheets on Windows write as CSV in western Europe and America.
    case windows1252
    /// UTF-8 in some lines, and Windows-1252 in others.
    case mixed
    case unknown

    /// The bytes that mean nothing in Windows-1252.
    private static let undefined: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]

    init(of text: ArraySlice<UInt8>) {
        var (hasUTF8, hasOther, hasUndefined) = (false, false, false)
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard line.contains(where: { $0 >= 0x80 }) else { continue }
            if String(validating: line, as: UTF8.self) != nil {
                hasUTF8 = true
            } else {
                hasOther = true
                hasUndefined = hasUndefined || line.contains(where: Self.undefined.contains)
            }
        }
        self = hasUndefined || !hasOther ? .unknown : hasUTF8 ? .mixed : .windows1252
    }

    /// Whether a text is UTF-16 or UTF-32, with or without a byte order mark. Every second byte of
    /// Latin text in UTF-16 is zero.
    static func isWide(_ text: ArraySlice<UInt8>) -> Bool {
        if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) { return true }
        let start = text.prefix(4_096)
        let zeros = [0, 1].map { parity in
            start.indices.count { start[$0] == 0 && ($0 - start.startIndex) % 2 == parity }
        }
        return start.count > 3 && zeros.contains { $0 * 4 > start.count }
    }
}
