import BookingStorage
import Contract

extension ChangeCursor {
    /// The first byte, which no cursor of a page has.
    private static let mark = UInt8(ascii: "f")

    private static let headerLength = 13

    /// The text for clients of this role, who must not interpret it.
    func text(for role: Principal.Role) -> String {
        let digits = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        let rest = element.isEmpty ? "" : "\0\(element)"
        return CursorText.encode(
            [Self.mark] + digits + CursorText.checksum(role.identity.utf8) + epoch.utf8 + rest.utf8
        )
    }

    /// Creates a cursor. Throws `invalidPage` for text that ``text(for:)`` did not return, and
    /// `cursorTooOld` if it did for a different role: the client's copy then lacks what only this
    /// role may see, or has what it may not.
    init(_ text: String, for role: Principal.Role) throws(Problem) {
        let length = Self.headerLength
        guard let bytes = CursorText.decode(text), bytes.count > length, bytes[0] == Self.mark,
            bytes[1] < 0x80, bytes[length] != 0
        else { throw Problem(.invalidPage, "since must be the cursor of an earlier response") }
        guard bytes[9..<length].elementsEqual(CursorText.checksum(role.identity.utf8)) else {
            let reason = "since is the cursor of a caller who may see different data"
            throw Problem(.cursorTooOld, "\(reason); take a new cursor and read the lists again")
        }
        // The epoch, and the element if there is one.
        let parts = bytes[length...].split(separator: 0, maxSplits: 1).map {
            String(decoding: $0, as: UTF8.self)
        }
        self.init(
            epoch: parts[0],
            number: bytes[1...8].reduce(0) { $0 << 8 | Int64($1) },
            element: parts.dropFirst().first ?? ""
        )
    }
}
