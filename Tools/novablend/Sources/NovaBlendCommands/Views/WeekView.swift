import CommandLineKit
import Domain
import JSON

/// Shows a week of a salon as a table. Each staff member has a group of rows.
enum WeekView {
    @Sendable static func show(_ result: MethodResult, _ context: MethodCommand.ViewContext) async
        -> Report
    {
        report(result.object)
    }

    static func report(_ result: JSONObject) -> Report {
        guard let week = Week(result) else { return Report(notes: ["no salon"]) }
        let availability = result.objects("availability").first
        // Free times that are computed come with the provenance of the same appointments.
        let isKnown = availability?.child("provenance") != nil
        return Report(
            [
                .line("\(week.salon.name), \(week.salon.location)"), .line(range(of: week)),
                .line(""),
                .tables([table(of: week), narrowTable(of: week)]),
            ],
            notes: (availability.map(SlotViews.notes) ?? [])
                + (isKnown ? [] : ResultNotes.provenance(of: result))
        )
    }

    private static let columns: [TextTable.Column] = [
        .init("TIME"), .init("STATE"), .init("SERVICE", isFlexible: true, isOptional: true),
        .init("SEATS", isOptional: true), .init("PHONE", isFlexible: true, isOptional: true),
    ]

    /// The staff members are headings, and the days are in the first column.
    private static func table(of week: Week) -> TextTable {
        var table = TextTable([.init("DAY")] + columns)
        for group in week.groups {
            if let title = group.title { table.addHeading(title) }
            for date in week.dates {
                for (number, row) in group.rows(on: date, of: week).enumerated() {
                    let (cells, style) = cells(of: row, week)
                    table.add([number == 0 ? day(date) : nil] + cells, style: style)
                }
            }
        }
        return table
    }

    /// The days are headings, too.
    private static func narrowTable(of week: Week) -> TextTable {
        var table = TextTable(columns)
        for group in week.groups {
            for date in week.dates {
                let rows = group.rows(on: date, of: week)
                guard !rows.isEmpty else { continue }
                let heading = [group.title, day(date)].compactMap(\.self)
                table.addHeading(heading.joined(separator: ", "))
                for row in rows {
                    let (cells, style) = cells(of: row, week)
                    table.add(cells, style: style)
                }
            }
        }
        return table
    }

    private static func range(of week: Week) -> String {
        let dates = [week.dates.first, week.dates.last].compactMap { $0?.description }
        let zone = week.clock.zone.map { ", \($0)" } ?? ""
        return dates.joined(separator: " to ") + zone
    }

    private static func day(_ date: CalendarDate) -> String {
        "\(date.weekday.rawValue.prefix(3)) \(date)"
    }

    private static func cells(of row: WeekRow, _ week: Week) -> ([String?], TextStyle?) {
        let (state, style) = state(of: row.content)
        var cells = [time(of: row, week), state]
        if case .booked(let booking) = row.content {
            let request = booking.appointment.booking
            let service = week.salon.services.first { $0.id == request.options.serviceID }
            let seats = request.options.seats
            cells += [
                service?.name ?? request.options.serviceID, seats > 1 ? "\(seats)" : nil,
                request.phone,
            ]
        }
        return (cells, style)
    }

    private static func state(of content: WeekRow.Content) -> (String, TextStyle?) {
        switch content {
        case .free(let count): (count.map { "\($0) free" } ?? "free", .green)
        case .unconfirmed: ("unconfirmed", .green)
        case .booked(let booking): booking.isOwn ? ("yours", .bold) : ("booked", nil)
        case .taken: ("taken", nil)
        case .pause: ("break", .dim)
        case .past: ("past", .dim)
        case .unavailable: ("unavailable", .dim)
        case .closed: ("closed", .dim)
        case .dayOff: ("off", .dim)
        }
    }

    /// Such as `09:00-10:30`. The end of a day is `24:00`.
    private static func time(of row: WeekRow, _ week: Week) -> String? {
        guard let end = row.end else { return nil }
        let date = week.clock.time(at: row.start).localTime.date
        let isMidnight = end == week.interval(of: date).upperBound
        return LocalTimeText.text(of: row.start, on: week.clock) + "-"
            + (isMidnight ? "24:00" : LocalTimeText.text(of: end, on: week.clock))
    }
}
