import BookingStorage

extension ChangeCursor {
    /// The first byte, which no cursor of a page has.
    private static let mark = UInt8(ascii: "f")

    /// The text for clients, who must not interpret it.
    var text: String {
        let digits = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        let rest = element.isEmpty ? "" : "\0\(element)"
        return CursorText.encode([Self.mark] + digits + epoch.utf8 + rest.utf8)
    }

    /// Creates a cursor. Throws `invalidPage` for text that ``text`` did not return.
    init(_ text: String) throws(Problem) {
        guard let bytes = CursorText.decode(text), bytes.count > 9, bytes[0] == Self.mark,
            bytes[1] < 0x80, bytes[9] != 0
        else { throw Problem(.invalidPage, "since must be the cursor of an earlier response") }
        // The epoch, and the element if there is one.
        let parts = bytes[9...].split(separator: 0, maxSplits: 1).map {
            String(decoding: $0, as: UTF8.self)
        }
        self.init(
            epoch: parts[0],
            number: bytes[1...8].reduce(0) { $0 << 8 | Int64($1) },
            element: parts.dropFirst().first ?? ""
        )
    }
}
