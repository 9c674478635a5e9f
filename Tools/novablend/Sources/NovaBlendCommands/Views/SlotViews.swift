import CommandLineKit
import Contract
import Domain
import JSON

/// Shows slots, or why a time can or cannot be booked.
enum SlotViews {
    @Sendable static func list(_ context: ViewContext) async -> Report {
        let object = context.result
        if let explanation = object.child("explanation") {
            var staff = explanation.objects("staff").map(state)
            // Without --with, the staff members who are not listed do not offer the service.
            if !staff.isEmpty, context.invocation[.staffMember] == nil {
                let listed = explanation.objects("staff").map { $0.text("id") }
                let all = await context.cachedSalon()?.staff ?? []
                staff += all.filter { !listed.contains($0.id) }.map {
                    ($0.name, "does not offer the service")
                }
            }
            return Report(explain(explanation, staff), notes: notes(object))
        }
        var table = TextTable([
            .init("TIME"), .init("END", isOptional: true), .init("DAY"), .init("STATE"),
            .init("UTC"), .init("ZONE"),
        ])
        for day in object.objects("days") { add(day, of: object, to: &table) }
        return Report(table, empty: "no slots", notes: notes(object))
    }

    /// Adds a row for each slot of a day. If the day has no slots, adds a row with the reason.
    private static func add(_ day: JSONObject, of result: JSONObject, to table: inout TextTable) {
        let (date, weekday) = (day.text("date"), day.text("weekday"))
        let times = ListedTime.times(of: day, in: result)
        // If no service was chosen, all slots have the same length.
        let isService = result.integer("serviceMinutes") != nil
        for time in times {
            table.add([
                ISO8601.formatRFC3339(time.start),
                isService ? time.end.localTime.text(after: time.start.localTime) : nil, weekday,
                state(of: time), ISO8601.formatUTC(time.start.instant), result.text("timeZone"),
            ])
        }
        if times.isEmpty, let reason = day.text("reason") {
            table.add([date, nil, weekday, reason])
        }
    }

    private static func state(of time: ListedTime) -> String {
        switch time.state {
        case .free: time.free.map { "\($0) free" } ?? "free"
        case .own: "yours"
        case .taken, .unconfirmed: time.state.rawValue
        }
    }

    private static func explain(
        _ explanation: JSONObject,
        _ staff: [(String, String?)]
    ) -> [Report.Block] {
        let time = explanation.text("local") ?? ""
        let day = explanation.text("weekday") ?? ""
        let alternatives = explanation.texts("alternatives")
        let own = explanation.child("ownBooking").map { $0.text("id") ?? "without an id" }
        return [
            .line("\(time), \(day): \(verdict(explanation))"),
            .fields(
                [
                    ("rule", explanation.text("rule")), ("reason", explanation.text("reason")),
                    ("yours", own),
                    ("instead", alternatives.isEmpty ? nil : alternatives.joined(separator: ", ")),
                ] + staff
            ),
        ]
    }

    private static func verdict(_ explanation: JSONObject) -> String {
        if explanation["bookable"] == nil { return "not known whether it can be booked" }
        return explanation.isTrue("bookable") ? "can be booked" : "cannot be booked"
    }

    /// The name of a staff member, and what prevents a booking, if anything does.
    private static func state(of member: JSONObject) -> (String, String?) {
        let name = member.text("name") ?? member.text("id") ?? ""
        switch member.text("rule") {
        case nil: return (name, "free")
        case "taken": return (name, "already booked")
        case "notWorking": return (name, "does not work at that time")
        case let rule?: return (name, rule)
        }
    }

    static func notes(_ object: JSONObject) -> [String?] {
        let source =
            object.text("source") == "computed"
            ? "computed from opening hours and known bookings; the server decides when a slot is booked"
            : nil
        let assumed =
            object.isTrue("slotMinutesAssumed")
            ? "the salon states no slot length: these are suggestions, "
                + "\(object.integer("slotMinutes") ?? 0) minutes apart"
            : nil
        return [source, assumed] + ResultNotes.provenance(of: object)
    }
}
