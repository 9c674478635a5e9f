import Domain
import JSON
import JSONRPC

/// A page of the appointments, ordered by time, then by salon, then by id, then by phone number.
///
/// The cursor is a position in this order. Adding or removing appointments between two calls neither
/// repeats nor skips others, even if the appointment at the position is removed. Only if the server
/// sends no ids, others at the same time and salon may be repeated or skipped.
struct AppointmentPage {
    /// A position in the order of the appointments.
    struct Position: Comparable {
        var time: Int64
        var salon: String
        var id: String

        init(time: Int64, salon: String, id: String) {
            (self.time, self.salon, self.id) = (time, salon, id)
        }

        init(of appointment: Appointment) {
            time = appointment.booking.time.instant.secondsSince1970
            salon = appointment.booking.salonID.description
            id = appointment.id ?? ""
        }

        static func < (one: Position, other: Position) -> Bool {
            (one.time, one.salon, one.id) < (other.time, other.salon, other.id)
        }
    }

    private let limit: Int?
    /// The last position of the previous page, and how many of the appointments listed so far have
    /// this position. There may be several if the server sends no ids.
    private let after: (position: Position, count: Int)?

    init(_ call: Call) throws(RPCError) {
        try self.init(limit: CursorPage.limit(of: call), cursor: call.params.string("cursor"))
    }

    init(limit: Int?, cursor: String?) throws(RPCError) {
        self.limit = limit
        after = try Cursor.read(cursor) { elements throws(JSONError) in
            guard elements.count == 4 else { return nil }
            let position = Position(
                time: Int64(try elements[0].integer()),
                salon: try elements[1].string(),
                id: try elements[2].string()
            )
            return (position, try elements[3].integer())
        }
    }

    func page(of appointments: [Appointment]) -> PageSlice<Appointment> {
        let sorted = Self.sorted(appointments)
        let rest = sorted[start(in: sorted)...]
        let page = rest.prefix(limit ?? rest.count)
        let next =
            page.endIndex == sorted.count
            ? nil : page.last.map { cursor(after: $0.position, in: sorted[..<page.endIndex]) }
        return PageSlice(
            elements: page.map(\.appointment)[...],
            total: sorted.count,
            nextCursor: next
        )
    }

    /// The appointments, sorted by their positions.
    static func sorted(
        _ appointments: [Appointment]
    ) -> [(position: Position, appointment: Appointment)] {
        appointments.map { (position: Position(of: $0), appointment: $0) }.sorted {
            ($0.position, $0.appointment.booking.phone) < (
                $1.position, $1.appointment.booking.phone
            )
        }
    }

    private func start(in sorted: [(position: Position, appointment: Appointment)]) -> Int {
        guard let after else { return 0 }
        let first = sorted.firstIndex { $0.position >= after.position } ?? sorted.count
        let same = sorted[first...].prefix(max(0, after.count)).prefix {
            $0.position == after.position
        }
        return same.endIndex
    }

    private func cursor(
        after position: Position,
        in listed: ArraySlice<(position: Position, appointment: Appointment)>
    ) -> String {
        let count = listed.reversed().prefix { $0.position == position }.count
        return Cursor { writer in
            writer.integer(position.time)
            writer.string(position.salon)
            writer.string(position.id)
            writer.integer(count)
        }.text
    }
}
