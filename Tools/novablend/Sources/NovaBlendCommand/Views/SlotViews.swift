import JSON

/// How slots are shown.
enum SlotViews {
    @Sendable static func list(_ answer: Answer, _ scene: MethodCall.Scene) async -> Report {
        let object = answer.object
        if let explanation = object.child("explanation") {
            return Report(explain(explanation), notes: notes(object))
        }
        let showsAll = scene.invocation.has("all")
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
        let empty = showsAll ? "no slots then" : "nothing is free then; --all shows what is taken"
        return Report(table, empty: empty, notes: notes(object))
    }

    /// Without the bookings it is not known whether a slot is free.
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
            ? "computed from the hours and the known bookings; the server decides when it is booked"
            : nil
        let assumed = object.integer("assumedSlotMinutes").map {
            "the salon states no slot length: these are suggestions, \($0) minutes apart"
        }
        return [source, assumed] + ProvenanceNote.notes(of: object)
    }
}
