import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON
import WebPrimitives

extension ServerRequest {
    /// A parameter of the query; nil if it is absent. Throws a problem of the kind, with what the
    /// value must be, if `parse` returns nil.
    func parameter<Value>(
        _ name: String,
        _ kind: ErrorKind,
        _ requirement: String,
        _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = query[name] else { return nil }
        guard let value = parse(text) else { throw Problem(kind, "\(name) \(requirement)") }
        return value
    }
}

/// The parameters `limit` and `cursor` of a paged list.
struct PageQuery: Sendable {
    /// The maximum number of elements on a page, and the default.
    static let maximumLimit = 1_000

    /// The number of elements on the page, from 1 to ``maximumLimit``.
    let limit: Int
    /// The position after which the page begins; nil for the first page.
    let cursor: PageCursor?

    /// Reads the parameters. A larger limit is clamped. Throws `invalidPage`.
    init(_ request: ServerRequest, of list: PageCursor.List) throws(Problem) {
        limit = min(try Self.limit(of: request) ?? Self.maximumLimit, Self.maximumLimit)
        let text = request.query["cursor"]
        cursor = if let text { try PageCursor(text, of: list) } else { nil }
    }

    /// The query of the next page of the same size.
    func next(_ cursor: PageCursor, of list: PageCursor.List) -> String {
        "limit=\(limit)&cursor=\(cursor.text(for: list))"
    }

    /// The limit; nil if it is absent. A number that does not fit in `Int` is clamped. Throws
    /// `invalidPage` unless it is a decimal number of at least 1.
    static func limit(of request: ServerRequest) throws(Problem) -> Int? {
        try request.parameter("limit", .invalidPage, "must be a number of at least 1") { text in
            number(text).flatMap { $0 >= 1 ? $0 : nil }
        }
    }

    /// The decimal number, clamped; nil for any other text.
    static func number(_ text: String) -> Int? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
        return isNumber ? Int(text) ?? .max : nil
    }
}

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

/// Decides how many elements fit on a page: at most a number of elements, and about 512 KiB. So
/// many clients that read long texts slowly do not fill the memory.
struct PageBudget {
    static let maximumBytes = 512 << 10

    private var elements: Int
    private var bytes = maximumBytes

    init(limit: Int) { elements = limit }

    /// Whether an element of about this many bytes fits after the previous ones. The first one
    /// always fits.
    mutating func take(bytes: Int) -> Bool {
        guard elements > 0, self.bytes > 0 else { return false }
        elements -= 1
        self.bytes -= bytes
        return true
    }
}

extension PageBudget {
    /// How many staff members are examined for one page of slots. This bounds the time in which other
    /// requests wait.
    private static let maximumExaminations = 1_000_000

    /// The number of slots on a page: at least one. For each slot, all staff members who can be
    /// chosen are examined, and if slots are explained, they are listed, too. The JSON of a slot
    /// has about 110 bytes, and that of a staff member at most 44 and the id.
    static func slotCount(for requirement: Requirement, isExplained: Bool) -> Int {
        var (examinations, bytes) = (1, 110)
        if case .staff(let members) = requirement.resources {
            examinations = max(members.count, 1)
            if isExplained { bytes += members.reduce(12) { $0 + 44 + $1.id.utf8.count } }
        }
        return max(min(maximumExaminations / examinations, maximumBytes / bytes), 1)
    }
}

// The lengths of JSON below are approximate. An escaped character counts as one byte.

extension StoredAppointment {
    var approximateBytes: Int {
        320 + booking.phone.utf8.count + (booking.email?.utf8.count ?? 0)
            + (booking.note?.utf8.count ?? 0) + (booking.options.serviceID?.utf8.count ?? 0)
            + (booking.options.staffID?.utf8.count ?? 0)
            + (serviceName.map { 150 + $0.utf8.count } ?? 0)
    }
}

extension Salon {
    var approximateBytes: Int {
        250 + name.utf8.count + location.utf8.count + (phone?.utf8.count ?? 0)
            + (weekly?.approximateBytes ?? 0)
            + exceptions.reduce(0) { $0 + $1.approximateBytes }
            + services.reduce(0) { $0 + 150 + $1.id.utf8.count + $1.name.utf8.count }
            + staff.reduce(0) { $0 + $1.approximateBytes }
    }
}

extension StaffMember {
    fileprivate var approximateBytes: Int {
        60 + id.utf8.count + name.utf8.count
            + (services ?? []).reduce(0) { $0 + 3 + $1.utf8.count }
            + (weekly?.approximateBytes ?? 0)
            + exceptions.reduce(0) { $0 + $1.approximateBytes }
    }
}

extension WeeklyHours {
    fileprivate var approximateBytes: Int {
        Weekday.allCases.reduce(12) { $0 + 8 + 18 * self[$1].count }
    }
}

extension OpeningException {
    fileprivate var approximateBytes: Int { 90 + 18 * hours.count }
}
