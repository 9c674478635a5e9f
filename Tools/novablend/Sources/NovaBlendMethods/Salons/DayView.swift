import Contract
import Domain
import JSON
import JSONRPC

/// A day of an availability in a result.
struct DayView {
    static let schema = ObjectSchema([
        .init("date", .string),
        .optional("weekday", .string),
        .optional("offset", .string, "the UTC offset, if days differ"),
        .optional("hours", .string, "09:30-22:30; absent if closed"),
        times("free", "the start times that can be booked"),
        .optional(
            "freeCounts",
            .array(of: .integer),
            "for each time in free, how many staff or seats are free, if there are several"
        ),
        times("unconfirmed", "the start times that may be taken, because bookings are unknown"),
        times("taken", "the start times that are taken"),
        times("own", "the start times that your own bookings take"),
        .optional("reason", .string, "why no time is free"),
        .optional(
            slots,
            .array(of: .object(SlotView.schema)),
            "all these times in order; only if fields names it"
        ),
    ]).named("AvailabilityDay")

    /// The member with the times as objects.
    static let slots = "slots"

    private static func times(_ name: String, _ summary: String) -> ObjectSchema.Property {
        .optional(name, .array(of: .string), summary)
    }

    private let day: AvailableDay
    private let clock: SalonClock
    /// The usual length of an appointment.
    private let usualSeconds: Int64
    private let freeCounts: [Int]?
    private let fields: FieldSelection

    init(_ day: AvailableDay, of reply: AvailabilityReply, _ fields: FieldSelection) {
        self.day = day
        let availability = reply.availability
        clock = availability.clock
        let requirement = availability.requirement
        let minutes = requirement.service != nil ? requirement.minutes : availability.slotMinutes
        usualSeconds = Int64(minutes) * 60
        freeCounts = reply.freeCounts(on: day)
        self.fields = fields
    }

    /// Writes the members of the day that the caller selected.
    func write(to writer: inout JSONWriter, withOffset: Bool) {
        writer.member("date", day.date.description)
        if fields.includes("weekday") { writer.member("weekday", day.date.weekday.rawValue) }
        if withOffset, fields.includes("offset") {
            writer.member("offset", ISO8601.formatOffset(minutes: day.offsetMinutes))
        }
        if fields.includes("hours") { writer.member("hours", day.hours.text) }
        write(.free, as: "free", to: &writer)
        writeFreeCounts(to: &writer)
        write(.unconfirmed, as: "unconfirmed", to: &writer)
        write(.taken, as: "taken", to: &writer)
        write(.own, as: "own", to: &writer)
        if fields.includes("reason") { writer.member("reason", day.reason) }
        if fields.names(Self.slots) {
            writer.objects("slots", day.times) { SlotView(time: $0).write(to: &$1) }
        }
    }

    private func write(
        _ state: AvailableDay.State,
        as name: StaticString,
        to writer: inout JSONWriter
    ) {
        let times = day.times.filter { $0.state == state }
        guard !times.isEmpty, fields.includes(name.description) else { return }
        writer.member(name, times.map(text))
    }

    private func writeFreeCounts(to writer: inout JSONWriter) {
        guard let counts = freeCounts, fields.includes("freeCounts") else { return }
        writer.array("freeCounts") { writer in for count in counts { writer.integer(count) } }
    }

    /// The start, followed by the end if the length is unusual: `09:30/10:15`, as in ISO 8601.
    private func text(of time: AvailableDay.Time) -> String {
        let start = text(of: time.start)
        let isUsual = time.end.instant.seconds(since: time.start.instant) == usualSeconds
        return isUsual ? start : "\(start)/\(text(of: time.end))"
    }

    /// The time of day. An offset follows if the date and the offset of the day do not identify
    /// the time, which happens on a day on which the clock changes.
    private func text(of time: AppointmentTime) -> String {
        let local = time.localTime
        var text = local.timeText
        if time.offsetMinutes != day.offsetMinutes || isAmbiguous(local) {
            text += ISO8601.formatOffset(minutes: time.offsetMinutes)
        }
        return text
    }

    private func isAmbiguous(_ local: LocalTime) -> Bool {
        if case .ambiguous = clock.reading(of: local) { true } else { false }
    }
}

extension Requirement {
    /// Whether more than one staff member or seat could take the appointment.
    var hasSeveralResources: Bool {
        switch resources {
        case .staff(let members): members.count > 1
        case .seats(_, let total): total > 1
        }
    }
}

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
