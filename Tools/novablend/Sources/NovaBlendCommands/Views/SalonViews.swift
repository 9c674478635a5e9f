import CommandLineKit
import Contract
import Domain
import NovaBlendAdapters
import NovaBlendMethods

/// Shows salons.
enum SalonViews {
    @Sendable static func list(_ reply: SalonListReply, _ context: ViewContext) async -> Report {
        var table = TextTable([
            .init("NAME", isFlexible: true), .init("PLACE", isFlexible: true),
            .init("FOUND BY", isFlexible: true, isOptional: true), .init("HOURS"),
            .init("ZONE", isFlexible: true), .init("PHONE"), .init("ID"),
        ])
        let salons = reply.salons
        let matches = Dictionary(grouping: reply.matches, by: \.id)
        for salon in salons {
            let found = matches[salon.id.description]?.map {
                "\($0.match.kind.rawValue) \($0.match.text)"
            }
            table.add([
                salon.name, salon.location, found?.joined(separator: ", "), salon.hours.description,
                salon.timeZone?.description,
                salon.phone, salon.id.description,
            ])
        }
        return Report(
            table,
            empty: "no salons",
            notes: [ResultNotes.page(salons.count, of: reply.total, next: reply.nextCursor)]
                + ResultNotes.provenance(reply.provenance)
        )
    }

    /// Shows what happened to a salon, or would happen, and the appointments that no longer fit.
    @Sendable static func change(_ reply: SalonChangeReply, _ context: ViewContext) async -> Report
    {
        let (change, salon) = (reply.change, reply.salon)
        let isDeleted = change.outcome == .deleted
        let conflicts = isDeleted ? [] : change.conflicts
        let blocks: [Report.Block] = [
            .line(title(of: reply)),
            .fields([
                ("salon", salon?.name), ("place", salon?.location),
                ("id", salon?.id.description), ("version", salon?.version.map(String.init)),
            ]),
            .table(table(of: reply.changes)),
            .table(table(of: conflicts, hidesPersonalData: context.hidesPersonalData)),
        ]
        return Report(
            blocks.filter { if case .table(let table) = $0 { !table.isEmpty } else { true } },
            notes: [
                isDeleted ? nil : change.moved.map { "appointments with a new instant: \($0)" },
                conflicts.isEmpty
                    ? nil
                    : "appointments that no longer fit, which remain booked: \(conflicts.count)",
                change.appointmentsError, reply.warning,
                change.cacheError.map { "not cached: \($0.description)" },
            ]
        )
    }

    private static func title(of reply: SalonChangeReply) -> String {
        let outcome = reply.change.outcome.rawValue
        if reply.change.outcome == .unchanged { return "Unchanged" }
        return reply.isDryRun
            ? "Would be \(outcome)" : outcome.prefix(1).uppercased() + outcome.dropFirst()
    }

    private static func table(of changes: [ChangedMember]) -> TextTable {
        var table = TextTable([
            .init("MEMBER"), .init("OLD", isFlexible: true), .init("NEW", isFlexible: true),
        ])
        for change in changes { table.add([change.name, change.old, change.new]) }
        return table
    }

    private static func table(of conflicts: [SalonConflict], hidesPersonalData: Bool) -> TextTable {
        var table = TextTable([
            .init("NO LONGER FITS"), .init("NEW LOCAL TIME", isOptional: true), .init("REASON"),
            .init("SERVICE", isFlexible: true, isOptional: true),
            .init("STAFF", isFlexible: true, isOptional: true), .init("PHONE"),
            .init("NOTES", isFlexible: true), .init("ID"),
        ])
        for conflict in conflicts {
            let booking = conflict.appointment.booking
            let options = OptionTexts(conflict.appointment)
            table.add([
                options.start, conflict.newLocalTime.map(ISO8601.formatRFC3339),
                conflict.reasons.map(\.text).joined(separator: ", "), options.service,
                options.staff, hidesPersonalData ? nil : booking.phone,
                hidesPersonalData ? nil : booking.note, conflict.appointment.id,
            ])
        }
        return table
    }
}

/// Shows everything about one salon: its hours, services, and staff.
enum SalonDetailsView {
    @Sendable static func show(_ reply: SalonReply, _ context: ViewContext) async -> Report {
        report(reply.salon, notes: ResultNotes.provenance(reply.provenance))
    }

    static func report(_ salon: Salon, notes: [String?] = []) -> Report {
        let found = FoundSalon(salon)
        let tables = [
            ServiceViews.services(salon.services, at: found),
            ServiceViews.staff(salon.staff, at: found),
        ]
        return Report(
            [.line(salon.name), .fields(fields(of: salon))]
                + tables.filter { !$0.isEmpty }.flatMap { [.line(""), .table($0)] },
            notes: notes
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
        return [("place", salon.location)] + named("also", salon.aliases)
            + [("phone", salon.phone)]
            + named("hours", hours) + named("except", exceptions)
            + [
                ("zone", salon.timeZone?.name),
                ("starts", salon.slotMinutes.map { "every \($0) minutes" }),
                ("earliest", salon.earliestText), ("latest", salon.latestText),
            ]
            + named("limits", limits(of: salon))
            + [
                ("seats", salon.seats.map(String.init)), ("id", salon.id.description),
                ("version", salon.version.map(String.init)),
            ]
    }

    /// How many appointments a customer may have.
    private static func limits(of salon: Salon) -> [String] {
        let limits = salon.customerLimits
        return [
            limits.active.map { "\($0.counting("active appointment")) for each customer" },
            limits.perDay.map { "\($0.counting("booking")) in 24 hours for each customer" },
        ].compactMap(\.self)
    }

    /// A field with several lines: only the first one has the name.
    private static func named(_ name: String, _ lines: [String]) -> [(String, String?)] {
        lines.enumerated().map { ($0 == 0 ? name : "", $1) }
    }
}
