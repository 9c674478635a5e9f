import CommandLineKit
import Domain
import NovaBlendMethods

/// Shows a week of a salon as a table. Each staff member has a group of rows.
enum WeekView {
    @Sendable static func show(_ reply: WeekReply, _ context: ViewContext) async -> Report {
        guard let week = reply.week, let first = reply.availability.first?.reply else {
            return Report(notes: ["no salon"])
        }
        var notes = SlotViews.notes(first)
        // Free times that are computed come with the provenance of the same appointments.
        if case .server = first.availability.source {
            notes += ResultNotes.provenance(reply.appointments.provenance)
        }
        return report(week, notes: notes)
    }

    static func report(_ week: Week, notes: [String?] = []) -> Report {
        Report(
            [
                .line("\(week.salon.name), \(week.salon.location)"), .line(range(of: week)),
                .line(""),
                .tables([false, true].map { table(of: week, isNarrow: $0) }),
            ],
            notes: notes
        )
    }

    private static let columns: [TextTable.Column] = [
        .init("TIME"), .init("STATE"), .init("SERVICE", isFlexible: true, isOptional: true),
        .init("SEATS", isOptional: true), .init("PHONE", isFlexible: true, isOptional: true),
    ]

    /// The staff members are headings. So are the days if the table is narrow; otherwise they are in
    /// the first column.
    private static func table(of week: Week, isNarrow: Bool) -> TextTable {
        var table = TextTable((isNarrow ? [] : [.init("DAY")]) + columns)
        for group in week.groups {
            if !isNarrow, let title = group.title { table.addHeading(title) }
            for date in week.dates {
                let rows = group.rows(on: date, of: week)
                if isNarrow, !rows.isEmpty {
                    let heading = [group.title, day(date)].compactMap(\.self)
                    table.addHeading(heading.joined(separator: ", "))
                }
                for (number, row) in rows.enumerated() {
                    let (cells, style) = cells(of: row, on: date, week)
                    let first = isNarrow ? [] : [number == 0 ? day(date) : nil]
                    table.add(first + cells, style: style)
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

    private static func cells(
        of row: WeekRow,
        on date: CalendarDate,
        _ week: Week
    ) -> ([String?], TextStyle?) {
        let (state, style) = state(of: row.content)
        var cells = [time(of: row, on: date, week), state]
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

    /// The interval of a row, such as `09:00-10:30`, or only its start if the end is not known. The end of
    /// a date is `24:00`. A row that starts after midnight of its day has its own date.
    private static func time(of row: WeekRow, on day: CalendarDate, _ week: Week) -> String? {
        switch row.content {
        case .closed, .dayOff: return nil
        default: break
        }
        let date = week.clock.time(at: row.start).localTime.date
        let start =
            (date == day ? "" : "\(date) ") + LocalTimeText.text(of: row.start, on: week.clock)
        guard let end = row.end else { return start }
        let isMidnight = end == week.midnight(of: date.advanced(byDays: 1))
        return start + "-" + (isMidnight ? "24:00" : LocalTimeText.text(of: end, on: week.clock))
    }
}
