import CommandLineKit
import Contract
import Domain
import JSON

/// Shows slots, or why a time can or cannot be booked.
enum SlotViews {
    @Sendable static func list(_ result: MethodResult, _ context: MethodCommand.ViewContext) async
        -> Report
    {
        let object = result.object
        if let explanation = object.child("explanation") {
            return Report(explain(explanation), notes: notes(object))
        }
        var table = TextTable([
            .init("TIME"), .init("DAY"), .init("STATE"), .init("UTC"), .init("ZONE"),
        ])
        for day in object.objects("days") { add(day, of: object, to: &table) }
        return Report(table, empty: "no slots", notes: notes(object))
    }

    /// Adds a row for each slot of a day. If the day has no slots, adds a row with the reason.
    private static func add(_ day: JSONObject, of result: JSONObject, to table: inout TextTable) {
        let (date, weekday) = (day.text("date") ?? "", day.text("weekday"))
        let offset = day.text("offset") ?? result.text("offset") ?? ""
        let rows = states.flatMap { name, state in
            day.texts(name).compactMap { text in
                time(text, on: date, offset).map { (time: $0, state: state) }
            }
        }
        for (time, state) in rows.sorted(by: { $0.time < $1.time }) {
            table.add([
                ISO8601.formatRFC3339(time), weekday, state, ISO8601.formatUTC(time.instant),
                result.text("timeZone"),
            ])
        }
        if rows.isEmpty, let reason = day.text("reason") { table.add([date, weekday, reason]) }
    }

    private static let states: [(name: StaticString, state: String)] = [
        ("free", "free"), ("unconfirmed", "unconfirmed"), ("taken", "taken"), ("own", "yours"),
    ]

    /// The start of a slot, which is written as `09:30`, `02:30+02:00`, or `09:30/10:15`.
    private static func time(
        _ text: String,
        on date: String,
        _ offset: String
    ) -> AppointmentTime? {
        let start = text.prefix { $0 != "/" }
        let clock = start.prefix { !"+-".contains($0) }
        let seconds = clock.count == "09:30".count ? ":00" : ""
        let own = start.dropFirst(clock.count)
        return ISO8601.parse("\(date)T\(clock)\(seconds)\(own.isEmpty ? offset : String(own))")
    }

    private static func explain(_ explanation: JSONObject) -> [Report.Block] {
        let time = explanation.text("local") ?? ""
        let day = explanation.text("weekday") ?? ""
        if explanation.isTrue("bookable") { return [.line("\(time), \(day): can be booked")] }
        let alternatives = explanation.texts("alternatives")
        let own = explanation.child("ownBooking").map { $0.text("id") ?? "without an id" }
        return [
            .line("\(time), \(day): cannot be booked"),
            .fields([
                ("rule", explanation.text("rule")), ("reason", explanation.text("reason")),
                ("yours", own),
                ("instead", alternatives.isEmpty ? nil : alternatives.joined(separator: ", ")),
            ]),
        ]
    }

    private static func notes(_ object: JSONObject) -> [String?] {
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
