import CommandLineKit
import Contract
import Domain
import NovaBlendMethods

/// Shows slots, or why a time can or cannot be booked.
enum SlotViews {
    @Sendable static func list(_ reply: AvailabilityReply, _ context: ViewContext) async -> Report {
        let availability = reply.availability
        if let explanation = availability.explanation {
            let salon = availability.salon
            var staff = (explanation.staff ?? []).map { member in
                let name = salon.member(member.staffID)?.name ?? member.staffID
                let state = reply.state(of: member, in: explanation) ?? member.rule ?? "free"
                return (name, state.hasPrefix("is ") ? String(state.dropFirst(3)) : state)
            }
            // Without --with, the staff members who are not listed do not offer the service.
            if !staff.isEmpty, context.invocation[.staffMember] == nil {
                let listed = (explanation.staff ?? []).map(\.staffID)
                let all = await context.cachedSalon(salon.id)?.staff ?? []
                staff += all.filter { !listed.contains($0.id) }.map {
                    ($0.name, "does not offer the service")
                }
            }
            return Report(explain(explanation, reply, staff), notes: notes(reply))
        }
        var table = TextTable([
            .init("TIME"), .init("END", isOptional: true), .init("DAY"), .init("STATE"),
            .init("UTC"), .init("ZONE"),
        ])
        for day in reply.days { add(day, of: reply, to: &table) }
        let next = nextWeek(after: reply, context.invocation[.day])
        return Report(table, empty: "no slots", notes: notes(reply) + [next])
    }

    /// How to get the slots of the next such day if the typed weekday is today, and today has none left.
    private static func nextWeek(after reply: AvailabilityReply, _ typed: String?) -> String? {
        guard let typed, case .weekday(let weekday) = TimeText.relativeDay(typed),
            let day = reply.days.first, day.times.isEmpty,
            day.date == reply.availability.now.localTime.date
        else { return nil }
        return
            "today is \(weekday.rawValue); for the next one: --day \(day.date.advanced(byDays: 7))"
    }

    /// Adds a row for each slot of a day. If the day has no slots, adds a row with the reason.
    private static func add(
        _ day: AvailableDay,
        of reply: AvailabilityReply,
        to table: inout TextTable
    ) {
        let weekday = day.date.weekday.rawValue
        let zone = reply.availability.clock.zone?.name
        // If no service was chosen, all slots have the same length.
        let isService = reply.availability.requirement.service != nil
        let isCounted = reply.freeCounts(on: day) != nil
        for time in day.times {
            table.add([
                ISO8601.formatRFC3339(time.start),
                isService ? time.end.localTime.text(after: time.start.localTime) : nil,
                self.weekday(of: time.start, openSince: day.date),
                state(of: time, isCounted), ISO8601.formatUTC(time.start.instant), zone,
            ])
        }
        if day.times.isEmpty, let reason = day.reason {
            table.add([day.date.description, nil, weekday, reason])
        }
    }

    /// The weekday of a time, and the one on which the salon opened, if that is a different one.
    private static func weekday(of time: AppointmentTime, openSince day: CalendarDate) -> String {
        let date = time.localTime.date
        let opened = date == day ? "" : " (opened \(day.weekday.rawValue))"
        return date.weekday.rawValue + opened
    }

    private static func state(of time: AvailableDay.Time, _ isCounted: Bool) -> String {
        switch time.state {
        case .free: isCounted ? time.free.map { "\($0) free" } ?? "free" : "free"
        case .own: "yours"
        case .taken, .unconfirmed: time.state.rawValue
        }
    }

    private static func explain(
        _ explanation: Availability.Explanation,
        _ reply: AvailabilityReply,
        _ staff: [(String, String?)]
    ) -> [Report.Block] {
        let time = explanation.time
        let day = time.localTime.date.weekday.rawValue
        let line = "\(ISO8601.formatRFC3339(time)), \(day): \(verdict(explanation))"
        let own =
            explanation.ownBooking.map { $0.appointment.id ?? "without an id" }
            ?? explanation.ownHold.map { "hold \($0.id)" }
        if explanation.verdict == .bookable {
            return [.line(line), .fields([("yours", own)] + staff)]
        }
        let alternatives = explanation.alternatives.map(ISO8601.formatRFC3339)
        return [
            .line(line),
            .fields(
                [
                    ("rule", explanation.rule?.name), ("reason", reply.reason(for: explanation)),
                    ("yours", own),
                    ("instead", alternatives.isEmpty ? nil : alternatives.joined(separator: ", ")),
                ] + staff
            ),
        ]
    }

    private static func verdict(_ explanation: Availability.Explanation) -> String {
        switch explanation.verdict {
        case .bookable: "can be booked"
        case .blocked: "cannot be booked"
        case .unknown: "not known whether it can be booked"
        }
    }

    static func notes(_ reply: AvailabilityReply) -> [String?] {
        let availability = reply.availability
        switch availability.source {
        case .server: return [reply.note]
        case .computed(let provenance):
            let source =
                "computed from opening hours and known bookings; the server decides when a slot is "
                + "booked"
            return [source, reply.note] + ResultNotes.provenance(provenance)
        }
    }
}
