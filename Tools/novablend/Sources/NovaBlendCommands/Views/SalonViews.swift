import CommandLineKit
import Contract
import Domain
import JSON
import NovaBlendAdapters

/// Shows salons.
enum SalonViews {
    @Sendable static func list(_ context: ViewContext) async -> Report {
        var table = TextTable([
            .init("NAME", isFlexible: true), .init("PLACE", isFlexible: true), .init("HOURS"),
            .init("ZONE", isFlexible: true), .init("PHONE"), .init("ID"),
        ])
        let salons = context.result.objects("salons")
        for salon in salons {
            table.add([
                salon.text("name"), salon.text("location"), hours(of: salon),
                salon.text("time_zone"), salon.text("phone"), salon.text("id"),
            ])
        }
        return Report(
            table,
            empty: "no salons",
            notes: [ResultNotes.page(salons.count, of: context.result)]
                + ResultNotes.provenance(of: context.result)
        )
    }

    /// Shows what happened to a salon, or would happen, and the appointments that no longer fit.
    @Sendable static func change(_ context: ViewContext) async -> Report {
        let object = context.result
        let salon = object.child("salon")
        let conflicts = object.objects("conflicts")
        let blocks: [Report.Block] = [
            .line(title(of: object)),
            .fields([
                ("salon", salon?.text("name")), ("place", salon?.text("location")),
                ("id", salon?.text("id")),
                ("version", salon?.integer("version").map(String.init)),
            ]),
            .table(changes(in: object)), .table(table(of: conflicts)),
        ]
        return Report(
            blocks.filter { if case .table(let table) = $0 { !table.isEmpty } else { true } },
            notes: [
                object.integer("moved").map { "appointments with a new instant: \($0)" },
                conflicts.isEmpty
                    ? nil
                    : "appointments that no longer fit, which remain booked: \(conflicts.count)",
                object.text("appointmentsError"), object.text("warning"),
                object.text("cacheError").map { "not cached: \($0)" },
            ]
        )
    }

    private static func title(of result: JSONObject) -> String {
        let outcome = result.text("outcome") ?? ""
        if outcome == "unchanged" { return "Unchanged" }
        return result.isTrue("dryRun")
            ? "Would be \(outcome)" : outcome.prefix(1).uppercased() + outcome.dropFirst()
    }

    private static func changes(in result: JSONObject) -> TextTable {
        var table = TextTable([
            .init("MEMBER"), .init("OLD", isFlexible: true), .init("NEW", isFlexible: true),
        ])
        for change in result.objects("changes") {
            table.add([change.text("member"), change.text("old"), change.text("new")])
        }
        return table
    }

    private static func table(of conflicts: [JSONObject]) -> TextTable {
        var table = TextTable([
            .init("NO LONGER FITS"), .init("NEW LOCAL TIME", isOptional: true), .init("REASON"),
            .init("SERVICE", isFlexible: true, isOptional: true),
            .init("STAFF", isFlexible: true, isOptional: true), .init("PHONE"),
            .init("NOTES", isFlexible: true), .init("ID"),
        ])
        for conflict in conflicts {
            let options = OptionTexts(conflict)
            let reasons = conflict.texts("reasons").map {
                SalonConflict.Reason(rawValue: $0)?.text ?? $0
            }
            table.add([
                options.start, conflict.text("newLocalTime"), reasons.joined(separator: ", "),
                options.service, options.staff, conflict.text("phone"), conflict.text("notes"),
                conflict.text("id"),
            ])
        }
        return table
    }

    /// The opening hours as text. They are computed here, because long lists do not contain them.
    private static func hours(of salon: JSONObject) -> String {
        guard let opens = time(salon["open_time"]), let closes = time(salon["close_time"]) else {
            return ""
        }
        return OpeningHours(opens: opens, closes: closes).description
    }

    private static func time(_ value: JSONValue?) -> TimeOfDay? {
        value.flatMap { try? TimeOfDayCodec.read($0) }
    }
}

/// Shows everything about one salon: its hours, services, and staff.
enum SalonDetailsView {
    @Sendable static func show(_ context: ViewContext) async -> Report {
        report(context.result)
    }

    static func report(_ result: JSONObject) -> Report {
        guard let object = result.child("salon"), let salon = try? SalonCodec.read(object.value)
        else { return Report(notes: ["no salon"]) }
        let found = FoundSalon(object)
        let tables = [
            ServiceViews.services(object.objects("services"), at: found),
            ServiceViews.staff(object.objects("staff"), at: found),
        ]
        return Report(
            [.line(salon.name), .fields(fields(of: salon))]
                + tables.filter { !$0.isEmpty }.flatMap { [.line(""), .table($0)] },
            notes: ResultNotes.provenance(of: result)
        )
    }

    private static func fields(of salon: Salon) -> [(String, String?)] {
        let hours = salon.hoursText.split(separator: "; ").map(String.init)
        let exceptions = salon.exceptions.sorted { one, other in
            one.dates.lowerBound < other.dates.lowerBound
        }.map { exception in
            let (first, last) = (exception.dates.lowerBound, exception.dates.upperBound)
            let days = first == last ? "\(first)" : "\(first) to \(last)"
            return "\(days) \(exception.hours.text ?? "closed")"
        }
        return [("place", salon.location), ("phone", salon.phone)]
            + named("hours", hours) + named("except", exceptions)
            + [
                ("zone", salon.timeZone?.name),
                ("starts", salon.slotMinutes.map { "every \($0) minutes" }),
                (
                    "earliest",
                    salon.leadMinutes > 0
                        ? "\(salon.leadMinutes.counting("minute")) from now" : nil
                ),
                ("latest", salon.furthestDays.map { "\($0.counting("day")) from now" }),
                ("seats", salon.seats.map(String.init)), ("id", salon.id.description),
                ("version", salon.version.map(String.init)),
            ]
    }

    /// A field with several lines: only the first one has the name.
    private static func named(_ name: String, _ lines: [String]) -> [(String, String?)] {
        lines.enumerated().map { ($0 == 0 ? name : "", $1) }
    }
}
