import CommandLineKit
import Domain
import JSON
import NovaBlendAdapters
import NovaBlendMethods

/// Shows appointments and the results of changes.
enum AppointmentViews {
    @Sendable static func list(_ context: ViewContext) async -> Report {
        let object = context.result
        if context.invocation[.calendarFile] != nil { return calendar(object, context.invocation) }
        let names = await salonNames(context.invoker)
        var table = TextTable([
            .init("TIME"), .init("END", isOptional: true), .init("SALON", isFlexible: true),
            .init("SERVICE", isFlexible: true, isOptional: true),
            .init("STAFF", isFlexible: true, isOptional: true), .init("SEATS", isOptional: true),
            .init("STATUS"), .init("PHONE"), .init("NOTES", isFlexible: true), .init("V"),
            .init("ID"),
        ])
        let appointments = object.objects("appointments")
        let clock = SalonClock.machine()
        var unknown = 0
        for appointment in appointments {
            let salon = appointment.text("salonId") ?? ""
            if names[salon] == nil { unknown += 1 }
            let options = OptionTexts(appointment, clock: names[salon] == nil ? nil : clock)
            table.add([
                options.start, options.end, names[salon] ?? salon, options.service,
                options.staff, options.seats, appointment.text("status") ?? "booked",
                appointment.text("phone"), appointment.text("notes"),
                appointment.integer("version").map(String.init), appointment.text("id"),
            ])
        }
        return Report(
            table,
            empty: "no appointments",
            notes: [ResultNotes.page(appointments.count, of: object), unknownClocks(unknown)]
                + ResultNotes.provenance(of: object)
        )
    }

    /// A note about appointments whose salons are not known; nil if every salon is known.
    private static func unknownClocks(_ count: Int) -> String? {
        if count == 0 { return nil }
        return "the salons of \(count.counting("appointment")) are unknown: times have the UTC "
            + "offsets that the server reports, not those of the salons"
    }

    /// Creates a view of an appointment that was changed, or in a dry run would be changed.
    static func change(_ done: String, inDryRun: String) -> MethodCommand.View {
        { context in
            let object = context.result
            let appointment = object.child("appointment")
            let salon = appointment?.text("salonId")
            let options = OptionTexts(appointment ?? object, names: object)
            let names = await salonNames(context.invoker)
            let error = object.text("cacheError").map { "not cached: \($0)" }
            let blocks: [Report.Block] = [
                .line(object.isTrue("dryRun") ? inDryRun : done),
                .fields(
                    options.fields(at: salon.flatMap { names[$0] } ?? salon) + [
                        ("status", appointment?.text("status")), ("id", appointment?.text("id")),
                        ("version", appointment?.integer("version").map(String.init)),
                        ("key", object.text("idempotencyKey")),
                    ]
                ),
            ]
            return Report(blocks, notes: [error])
        }
    }

    @Sendable static func resolutions(_ context: ViewContext) async -> Report {
        var table = TextTable([
            .init("OUTCOME"), .init("TIME"), .init("KEY"), .init("REASON", isFlexible: true),
        ])
        for resolution in context.result.objects("resolutions") {
            let time = resolution.child("appointment")?.text("appointmentTime")
            table.add([
                resolution.text("outcome"), resolution.child("when")?.text("local") ?? time,
                resolution.text("idempotencyKey"), resolution.text("reason"),
            ])
        }
        let notes = ResultNotes.otherAccounts(in: context.result)
        return Report(table, empty: "nothing is in doubt", notes: notes)
    }

    private static func calendar(_ object: JSONObject, _ invocation: Invocation) -> Report {
        let notes = ResultNotes.provenance(of: object)
        if let file = invocation[.calendarFile], !file.isEmpty {
            let count = object.integer("count")?.counting("appointment") ?? "the appointments"
            let done = object.isTrue("dryRun") ? "would be written" : "written"
            return Report([.line("\(count) \(done) to \(file)")], notes: notes)
        }
        return Report([.raw(object.text("calendar") ?? "")], notes: notes)
    }

    /// The names of the cached salons by id.
    static func salonNames(_ invoker: MethodInvoker) async -> [String: String] {
        let params = Parameters(["policy": "cacheOnly"])
        let salons = try? await invoker.call(SalonMethods.list, params).object.objects("salons")
        let pairs = (salons ?? []).compactMap { salon in
            salon.text("id").flatMap { id in salon.text("name").map { (id, $0) } }
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

/// Shows a hold.
enum HoldViews {
    @Sendable static func held(_ context: ViewContext) async -> Report {
        let object = context.result
        return Report([
            .line(object.isTrue("dryRun") ? "Would be held" : "Held"),
            .fields(
                OptionTexts(object).fields(at: object.child("salon")?.text("name")) + [
                    ("id", object.text("holdId")),
                    ("ends in", object.integer("secondsLeft").map(Age.text)),
                    ("key", object.text("idempotencyKey")),
                ]
            ),
        ])
    }

    @Sendable static func released(_ context: ViewContext) async -> Report {
        Report([.line(context.result.isTrue("dryRun") ? "Would be released" : "Released")])
    }
}
