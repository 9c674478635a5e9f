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
            if availability.areSlotMinutesAssumed { writer.member("slotMinutesAssumed", true) }
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
        TimeView(explanation.time, zone: availability.salon.timeZone).write(to: &writer)
        if explanation.verdict != .unknown {
            writer.member("bookable", explanation.verdict == .bookable)
        }
        if let staff = explanation.staff { writer.objects("staff", staff, write) }
        if explanation.verdict == .bookable { return }
        writer.member("rule", explanation.rule?.name)
        writer.member("reason", reason(for: explanation))
        writer.member("ownBooking", explanation.ownBooking)
        writer.member("alternatives", explanation.alternatives)
    }

    /// Why the time cannot be booked, or why that is not known.
    package func reason(for explanation: Availability.Explanation) -> String {
        explanation.rule?.reason(for: explanation.time, in: availability.salon)
            ?? "it is not known whether the time can be booked; the server decides when it is booked"
    }

    private func write(_ availability: StaffAvailability, _ writer: inout JSONWriter) {
        let name = self.availability.salon.member(availability.staffID)?.name
        writer.member("id", availability.staffID)
        writer.member("name", name)
        writer.member("free", availability.rule == nil)
        writer.member("rule", availability.rule)
        writer.member(
            "reason",
            availability.rule.flatMap { Self.reason($0, name ?? availability.staffID) }
        )
    }

    /// Why the staff member `name` is not free; nil for a rule that this program does not know.
    private static func reason(_ rule: String, _ name: String) -> String? {
        switch rule {
        case BlockingRule.taken.name: "\(name) is already booked at that time"
        case BlockingRule.notWorking(nil).name: "\(name) does not work at that time"
        default: nil
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
        .init("now", .string, "the current time on the salon's clock"),
        .init(
            "slotMinutes",
            .integer,
            "the minutes between start times, and the length of an appointment without a service"
        ),
        .optional("serviceMinutes", .integer, "the length of the service"),
        .optional(
            "slotMinutesAssumed",
            .boolean,
            "true if the salon states no length: appointments may also start at other times"
        ),
        .init("source", .string(in: ["server", "computed"])),
        .optional(
            Schemas.provenance.name,
            Schemas.provenance.schema,
            "the source of the known bookings, if the times are computed"
        ),
        .init("days", .array(of: .object(DayView.schema))),
        .optional("nextStart", .string, "pass it as start to list the times after the limit"),
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
        TimeView.schema.properties + [
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
                "your own booking, if it takes the time"
            ),
            .optional("alternatives", .array(of: .string)),
        ]
    ).named("SlotExplanation")
}
