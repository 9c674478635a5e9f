import BookingStorage
import Contract
import Domain
import JSON
import WebPrimitives

/// A position in a paged list, as the text in `?cursor=`. Clients must not interpret it: only the
/// text that the backend returned is accepted.
struct PageCursor: Sendable, Hashable {
    /// The lists that have cursors. The raw value is part of the text.
    enum List: UInt8, Sendable {
        case appointments = 0x61
        case salons = 0x73
        case conflicts = 0x63
    }

    /// The salon of the last element of the previous page; for the list of salons, that element.
    var salonID: SalonID
    /// The id of the last element of the previous page; empty for the list of salons.
    var id = ""

    /// This position as the text of a cursor, which is valid only for `list`.
    func text(for list: List) -> String {
        CursorText.encode([list.rawValue] + salonID.description.utf8 + id.utf8)
    }

    /// Creates a cursor. Throws `invalidPage` for text that ``text(for:)`` did not return for this
    /// list.
    init(_ text: String, of list: List) throws(Problem) {
        guard let bytes = CursorText.decode(text), bytes.count >= 37, bytes[0] == list.rawValue,
            let salonID = SalonID(String(decoding: bytes[1..<37], as: UTF8.self))
        else { throw Problem(.invalidPage, "cursor must be from the Link of the previous page") }
        self.salonID = salonID
        id = String(decoding: bytes[37...], as: UTF8.self)
    }

    init(salonID: SalonID, id: String = "") {
        self.salonID = salonID
        self.id = id
    }
}

/// The text of a cursor: bytes and their checksum.
enum CursorText {
    static func encode(_ bytes: [UInt8]) -> String { Base64.encodeURL(bytes + checksum(bytes)) }

    /// The bytes of a cursor; nil for text that ``encode(_:)`` did not return.
    static func decode(_ text: String) -> [UInt8]? {
        guard let bytes = Base64.decodeURL(text), bytes.count >= 4,
            checksum(bytes.dropLast(4)).elementsEqual(bytes.suffix(4))
        else { return nil }
        return bytes.dropLast(4)
    }

    /// The checksum of a cursor's bytes. It detects mistakes, not forgeries: a cursor grants no
    /// access.
    static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        withUnsafeBytes(of: FNV1a.hash(bytes).bigEndian) { Array($0.suffix(4)) }
    }
}
