import Contract
import Domain
import JSON

/// A time of an availability in a result, for programs that show a calendar.
struct SlotView {
    static let schema = ObjectSchema([
        .init("appointmentTime", .string, "the start, as a booking takes it"),
        .init("end", .string),
        .init(
            "state",
            .string(in: AvailableDay.State.allCases.map(\.rawValue)),
            "as in the lists of times"
        ),
        .optional("free", .integer, "how many staff members or seats are free, if known"),
        .optional(
            "staff",
            .array(of: .string),
            "the ids of the staff members who are free, if known"
        ),
    ]).named("AvailabilitySlot")

    let time: AvailableDay.Time

    /// Writes the members that describe the slot.
    func write(to writer: inout JSONWriter) {
        writer.member("appointmentTime", ISO8601.formatRFC3339(time.start))
        writer.member("end", ISO8601.formatRFC3339(time.end))
        writer.member("state", time.state.rawValue)
        writer.member("free", time.free)
        writer.member("staff", time.staff?.filter { $0.rule == nil }.map(\.staffID))
    }
}
