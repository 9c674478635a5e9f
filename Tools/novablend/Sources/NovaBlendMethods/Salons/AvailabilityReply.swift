import Contract
package import Domain
package import JSON
import JSONRPC

/// A salon's availability: the selected days with their times, and what applies to all of them.
package struct AvailabilityReply: Reply {
    package let availability: Availability
    /// The selected days, with the selected times.
    package let days: [AvailableDay]
    /// The start of the first time after the limit; nil if no time is left out.
    private let nextStart: AppointmentTime?
    private let fields: FieldSelection

    /// Makes the reply with the days and times that `selection` selects.
    init(_ availability: Availability, _ selection: SlotSelection) {
        self.availability = availability
        (days, nextStart) = selection.select(from: availability.days)
        fields = selection.fields
    }

    /// The number of staff members or seats that are free at each free time of a day; nil if there is
    /// only one, or if it is not known.
    package func freeCounts(on day: AvailableDay) -> [Int]? {
        let free = day.times.filter { $0.state == .free }
        let counts = free.compactMap(\.free)
        let isKnown = !counts.isEmpty && counts.count == free.count
        return isKnown && availability.requirement.hasSeveralResources ? counts : nil
    }

    /// What must be known about the times if the salon states no slot length; otherwise nil.
    package var note: String? {
        guard availability.areSlotMinutesAssumed else { return nil }
        return
            "the salon states no slot length: any time within its hours can be requested, and the "
            + "listed times are suggestions, \(availability.slotMinutes) minutes apart"
    }

    package func encode() -> ObjectFragment {
        let offsets = Set(days.map(\.offsetMinutes))
        return ObjectFragment { writer in
            writer.member("salon", availability.salon.named)
            writer.member("timeZone", availability.clock.zone?.name)
            if offsets.count == 1, let offset = offsets.first {
                writer.member("offset", ISO8601.formatOffset(minutes: offset))
            }
            writer.member("now", ISO8601.formatRFC3339(availability.now))
            writer.member("slotMinutes", availability.slotMinutes)
            if availability.requirement.service != nil {
                writer.member("serviceMinutes", availability.requirement.minutes)
            }
            if let note {
                writer.member("slotMinutesAssumed", true)
                writer.member("note", note)
            }
            writeSource(to: &writer)
            writer.objects("days", days) { day, writer in
                DayView(day, of: self, fields).write(to: &writer, withOffset: offsets.count > 1)
            }
            writer.member("nextStart", nextStart.map(ISO8601.formatRFC3339))
            if let explanation = availability.explanation {
                writer.object("explanation") { write(explanation, to: &$0) }
            }
        }
    }

    private func writeSource(to writer: inout JSONWriter) {
        switch availability.source {
        case .server: writer.member("source", "server")
        case .computed(let provenance):
            writer.member("source", "computed")
            LoadReply.write(provenance, to: &writer)
        }
    }

    private func write(_ explanation: Availability.Explanation, to writer: inout JSONWriter) {
        TimeView(explanation.time, zone: availability.salon.timeZone).writeMembers(to: &writer)
        if explanation.verdict != .unknown {
            writer.member("bookable", explanation.verdict == .bookable)
        }
        if let staff = explanation.staff {
            writer.objects("staff", staff) { write($0, of: explanation, &$1) }
        }
        writer.member("ownBooking", explanation.ownBooking)
        writer.member("ownHold", explanation.ownHold?.id)
        if explanation.verdict == .bookable { return }
        writer.member("rule", explanation.rule?.name)
        writer.member("reason", reason(for: explanation))
        writer.member("alternatives", explanation.alternatives)
    }

    /// Why the time cannot be booked, or why that is not known.
    package func reason(for explanation: Availability.Explanation) -> String {
        guard let rule = explanation.rule else {
            return
                "it is not known whether the time can be booked; the server decides when it is booked"
        }
        guard rule == .taken else {
            return rule.reason(for: explanation.time, in: availability.salon)
        }
        if explanation.ownBooking != nil { return "the time is booked by you" }
        if let hold = explanation.ownHold {
            return "the time is held by you: book it with the holdId \(hold.id)"
        }
        let buffers = explanation.buffers
        if buffers.isEmpty { return rule.reason(for: explanation.time, in: availability.salon) }
        let members = Set(buffers.map(\.staffID))
        if explanation.staff?.count ?? 1 == 1, members.count == 1 {
            return Self.reason(of: buffers, at: explanation.time)
        }
        return "no one is free for the whole time, with the buffers before and after it"
    }

    private static func reason(of buffers: [BufferConflict], at time: AppointmentTime) -> String {
        buffers.map { $0.reason(at: time) }.joined(separator: "; ")
    }

    private func write(
        _ member: StaffAvailability,
        of explanation: Availability.Explanation,
        _ writer: inout JSONWriter
    ) {
        writer.member("id", member.staffID)
        writer.member("name", availability.salon.member(member.staffID)?.name)
        writer.member("free", member.rule == nil)
        writer.member("rule", member.rule)
        let name = availability.salon.member(member.staffID)?.name ?? member.staffID
        writer.member("reason", state(of: member, in: explanation).map { "\(name) \($0)" })
    }

    /// Why a staff member is not free, to follow the name; nil if the person is, or for a rule that this
    /// program does not know.
    package func state(
        of member: StaffAvailability,
        in explanation: Availability.Explanation
    ) -> String? {
        switch member.rule {
        case BlockingRule.taken.name:
            func isOwn(_ appointment: Appointment?) -> Bool {
                appointment?.booking.options.staffID == member.staffID
            }
            if isOwn(explanation.ownBooking?.appointment) { return "is booked by you" }
            if isOwn(explanation.ownHold?.appointment) { return "is held by you" }
            let buffers = explanation.buffers.filter { $0.staffID == member.staffID }
            if buffers.isEmpty { return "is already booked at that time" }
            return "is not booked then, but " + Self.reason(of: buffers, at: explanation.time)
        case BlockingRule.notWorking(nil).name: return "does not work at that time"
        default: return nil
        }
    }
}

extension AvailabilityReply {
    static let schema = ObjectSchema([
        .init("salon", .object(NamedSalon.schema)),
        .optional("timeZone", .string, "if the salon has one"),
        .optional(
            "offset",
            .string,
            "the UTC offset; if it changes within the range, each day has its own"
        ),
        .init("now", .dateTime, "the current time on the salon's clock"),
        .init(
            "slotMinutes",
            .integer,
            "the minutes between start times and, unless assumed, the length without a service"
        ),
        .optional("serviceMinutes", .integer, "the length of the service"),
        .optional(
            "slotMinutesAssumed",
            .boolean.defaulting { $0.bool(false) },
            "true if the salon states none: then an end is known only with a service"
        ),
        .optional("note", .string, "that any time can be requested, if slotMinutes is assumed"),
        .init("source", .string(in: ["server", "computed"])),
        .optional(
            Schemas.provenance.name,
            Schemas.provenance.schema,
            "the source of the known bookings, if the times are computed"
        ),
        .init(
            "days",
            FieldSelection.array(of: DayView.schema, selectedAs: "SelectedDay", key: "date")
        ),
        .optional("nextStart", .dateTime, "pass it as start to list the times after the limit"),
        .optional(
            "explanation",
            .object(explanationSchema),
            "whether the time in explain can be booked"
        ),
    ])

    private static let staffSchema = ObjectSchema([
        .init("id", .string),
        .optional("name", .string),
        .init("free", .boolean),
        .optional("rule", .string, "such as taken or notWorking"),
        .optional("reason", .string),
    ]).named("StaffAvailability")

    private static let explanationSchema = ObjectSchema(
        TimeView.properties + [
            .optional("bookable", .boolean, "absent if it is not known whether the time is taken"),
            .optional(
                "staff",
                .array(of: .object(staffSchema)),
                "who could take it, and why the others could not"
            ),
            .optional("rule", .string(in: BlockingRule.names), "the broken rule"),
            .optional("reason", .string),
            .optional(
                "ownBooking",
                .object(OwnBooking.schema),
                "your own booking at that time"
            ),
            .optional("ownHold", .string, "the id of your own hold of that time"),
            .optional("alternatives", .times),
        ]
    ).named("SlotExplanation")
}

/// A day of an availability in a result.
struct DayView {
    static let schema = ObjectSchema([
        .init(
            "date",
            .string,
            "the opening day: times past midnight are written with their own date"
        ),
        .init("weekday", .string),
        .optional("offset", .string, "the UTC offset, if days differ"),
        .optional("hours", .string, "09:30-22:30; absent if closed"),
        times("free", "the start times that can be booked"),
        .optional(
            "freeCounts",
            .array(of: .integer),
            "for each time in free, how many staff or seats are free, if there are several"
        ),
        times("unconfirmed", "the start times that may be taken, because bookings are unknown"),
        times("taken", "the start times that others have booked or hold"),
        times("own", "the start times that your own bookings, and holds of this program, take"),
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
        .optional(name, .array(of: .string).defaulting { $0.array { _ in } }, summary)
    }

    private let day: AvailableDay
    private let clock: SalonClock
    /// The usual length of an appointment.
    private let usualSeconds: Int64
    private let freeCounts: [Int]?
    private let isLengthKnown: Bool
    private let fields: FieldSelection

    init(_ day: AvailableDay, of reply: AvailabilityReply, _ fields: FieldSelection) {
        self.day = day
        let availability = reply.availability
        clock = availability.clock
        let requirement = availability.requirement
        isLengthKnown = !requirement.isLengthAssumed
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
            writer.objects("slots", day.times) { time, writer in
                SlotView(time: time, openingDay: day.date, isLengthKnown: isLengthKnown)
                    .write(to: &writer)
            }
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

    /// The start, with its date if that is not the opening day, and followed by the end if the length is
    /// unusual: `09:30/10:15`, as in ISO 8601.
    private func text(of time: AvailableDay.Time) -> String {
        let isNextDay = time.start.localTime.date != day.date
        let start =
            (isNextDay ? "\(time.start.localTime.date)T" : "") + text(of: time.start)
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
        .init("appointmentTime", .dateTime, "the start, as a booking takes it"),
        .optional("end", .dateTime, "if the length is known"),
        .init("openingDay", .string, "the day before, if the salon is open past midnight"),
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
    /// The day in whose hours the time is.
    let openingDay: CalendarDate
    /// Whether the length of an appointment is known, and thus the end.
    let isLengthKnown: Bool

    /// Writes the members that describe the slot.
    func write(to writer: inout JSONWriter) {
        writer.member("appointmentTime", ISO8601.formatRFC3339(time.start))
        if isLengthKnown { writer.member("end", ISO8601.formatRFC3339(time.end)) }
        writer.member("openingDay", openingDay.description)
        writer.member("state", time.state.rawValue)
        writer.member("free", time.free)
        writer.member("staff", time.staff?.filter { $0.rule == nil }.map(\.staffID))
    }
}
