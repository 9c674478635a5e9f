import CommandLineKit
import Contract
import Domain
import NovaBlendAdapters
import NovaBlendMethods

/// Shows appointments and the results of changes.
enum AppointmentViews {
    @Sendable static func list(
        _ reply: AppointmentListReply,
        _ context: ViewContext
    ) async -> Report {
        let names = await salonNames(context.invoker)
        var table = TextTable([
            .init("TIME"), .init("END", isOptional: true), .init("SALON", isFlexible: true),
            .init("SERVICE", isFlexible: true, isOptional: true),
            .init("STAFF", isFlexible: true, isOptional: true), .init("SEATS", isOptional: true),
            .init("PRICE", isOptional: true),
            .init("STATUS"), .init("PHONE"), .init("NOTES", isFlexible: true), .init("V"),
            .init("ID"),
        ])
        let clock = SalonClock.machine()
        var unknown = 0
        for listed in reply.appointments {
            let appointment = listed.view.appointment
            let salon = appointment.booking.salonID.description
            if names[salon] == nil { unknown += 1 }
            let options = OptionTexts(listed, on: names[salon] == nil ? nil : clock)
            table.add([
                options.start, options.end, names[salon] ?? salon, options.service,
                options.staff, options.seats, options.price, appointment.status.name,
                appointment.booking.phone,
                appointment.booking.note, appointment.version.map(String.init), appointment.id,
            ])
        }
        let page = ResultNotes.page(
            reply.appointments.count,
            of: reply.total,
            next: reply.nextCursor
        )
        return Report(
            table,
            empty: "no appointments",
            notes: [page, unknownClocks(unknown)] + ResultNotes.provenance(reply.provenance)
        )
    }

    /// A note about appointments whose salons are not known; nil if every salon is known.
    private static func unknownClocks(_ count: Int) -> String? {
        if count == 0 { return nil }
        return "the salons of \(count.counting("appointment")) are unknown: times have the UTC "
            + "offsets that the server reports, not those of the salons"
    }

    /// Creates a view of an appointment that was changed, or in a dry run would be changed.
    static func change(
        _ done: String,
        inDryRun: String
    ) -> @Sendable (ConfirmedReply, ViewContext) async -> Report {
        { reply, context in
            let appointment = reply.booked.appointment
            let salon = appointment.booking.salonID.description
            let names = await salonNames(context.invoker)
            let isBooked = appointment.status == .booked
            return Report(
                [
                    .line(reply.isDryRun ? inDryRun : done),
                    .fields(
                        OptionTexts(reply.booked).fields(at: names[salon] ?? salon) + [
                            (
                                "price",
                                reply.isDryRun
                                    ? appointment.bookedService?.price?.description : nil
                            ),
                            ("status", isBooked ? nil : appointment.status.name),
                            ("id", appointment.id),
                            ("version", appointment.version.map(String.init)),
                            ("key", reply.key),
                        ] + reply.warnings.map { ("warning", $0.message) }
                    ),
                ],
                notes: [reply.cacheError.map { "not cached: \($0.description)" }]
            )
        }
    }

    @Sendable static func resolutions(
        _ reply: ResolutionsReply,
        _ context: ViewContext
    ) async -> Report {
        var table = TextTable([
            .init("OUTCOME"), .init("TIME"), .init("NOW", isFlexible: true, isOptional: true),
            .init("KEY"), .init("REASON", isFlexible: true),
        ])
        for resolution in reply.resolutions {
            table.add([
                resolution.outcome, ISO8601.formatRFC3339(resolution.appointment.when.time),
                resolution.present.map { text(of: $0, resolution) }, resolution.key,
                resolution.reason,
            ])
        }
        let notes = ResultNotes.otherAccounts(reply.accounts)
        return Report(table, empty: reply.hint ?? "nothing is in doubt", notes: notes)
    }

    /// What became of an appointment, and as of when that is known.
    private static func text(of present: PresentState, _ resolution: ReportedResolution) -> String {
        let moved = resolution.presentTime.map { " to \(ISO8601.formatRFC3339($0.time))" } ?? ""
        let asOf = present.asOf.map { ", as of \(ISO8601.formatUTC($0))" } ?? ""
        let state = present.change == .notListed ? "not listed" : present.change.rawValue
        return state + moved + asOf
    }

    @Sendable static func calendar(_ reply: CalendarReply, _ context: ViewContext) async -> Report {
        let notes = ResultNotes.provenance(reply.provenance)
        guard let file = context.invocation[.calendarFile], !file.isEmpty else {
            return Report([.raw(reply.calendar)], notes: notes)
        }
        let done = reply.isDryRun ? "would be written" : "written"
        let line = "\(reply.count.counting("appointment")) \(done) to \(file)"
        return Report([.line(line)], notes: notes)
    }

    /// The names of the cached salons by id.
    static func salonNames(_ invoker: MethodInvoker) async -> [String: String] {
        let params = Parameters(["policy": "cacheOnly"])
        let names = (try? await invoker.call(SalonMethods.list, params))?.names ?? []
        return Dictionary(names.map { ($0.id, $0.name) }) { first, _ in first }
    }
}

/// Shows a hold.
enum HoldViews {
    @Sendable static func held(_ reply: HoldReply, _ context: ViewContext) async -> Report {
        Report([
            .line(reply.held == nil ? "Would be held" : "Held"),
            .fields(
                OptionTexts(reply).fields(at: reply.booked.salon?.name) + [
                    ("id", reply.held?.hold.id),
                    ("ends in", (reply.held?.secondsLeft).map { Age.text(seconds: Int($0)) }),
                    ("key", reply.held?.key),
                ] + reply.warnings.map { ("warning", $0.message) }
            ),
        ])
    }

    @Sendable static func released(_ reply: ReleaseReply, _ context: ViewContext) async -> Report {
        let done = reply.hadEnded ? "It had ended before" : "Released"
        let fields = reply.booked.map { booked in
            OptionTexts(booked).fields(at: booked.salon?.name)
        }
        return Report(
            [.line(reply.isDryRun && !reply.hadEnded ? "Would be released" : done)]
                + (fields.map { [.fields($0)] } ?? [])
        )
    }
}
