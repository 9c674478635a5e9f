import CommandLineKit
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
        let showsAll = context.invocation.has("all")
        var table = TextTable([
            .init("TIME"), .init("DAY"), .init("STATE"), .init("UTC"), .init("ZONE"),
        ])
        for slot in object.objects("slots") {
            let state = state(of: slot)
            guard showsAll || state != "taken" else { continue }
            table.add([
                slot.text("localStart"), slot.text("weekday"), state, slot.text("start"),
                slot.text("zone"),
            ])
        }
        let empty = showsAll ? "no slots" : "no free slots; --all also shows taken ones"
        return Report(table, empty: empty, notes: notes(object))
    }

    /// Without a list of bookings it is unknown whether a slot is free.
    private static func state(of slot: JSONObject) -> String {
        guard slot["available"] != nil else { return "unknown" }
        return slot.isTrue("available") ? "free" : "taken"
    }

    private static func explain(_ explanation: JSONObject) -> [Report.Block] {
        let time = explanation.text("local") ?? ""
        let day = explanation.text("weekday") ?? ""
        if explanation.isTrue("bookable") { return [.line("\(time), \(day): can be booked")] }
        let alternatives = explanation.texts("alternatives")
        return [
            .line("\(time), \(day): cannot be booked"),
            .fields([
                ("rule", explanation.text("rule")), ("reason", explanation.text("reason")),
                ("instead", alternatives.isEmpty ? nil : alternatives.joined(separator: ", ")),
            ]),
        ]
    }

    private static func notes(_ object: JSONObject) -> [String?] {
        let source =
            object.text("source") == "computed"
            ? "computed from opening hours and known bookings; the server decides when a slot is booked"
            : nil
        let assumed = object.integer("assumedSlotMinutes").map {
            "the salon states no slot length: these are suggestions, \($0) minutes apart"
        }
        return [source, assumed] + ResultNotes.provenance(of: object)
    }
}
