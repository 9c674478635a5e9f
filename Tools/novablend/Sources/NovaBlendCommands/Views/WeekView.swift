import CommandLineKit
import Domain
import NovaBlendAdapters
import NovaBlendMethods

/// Shows a week of a salon as a table. Each staff member has a group of rows.
enum WeekView {
    @Sendable static func show(_ reply: WeekReply, _ context: ViewContext) async -> Report {
        guard let week = reply.week, let first = reply.availability.first?.reply else {
            return Report(notes: ["no salon"])
        }
        return report(week, notes: notes(reply, first))
    }

    static func notes(_ reply: WeekReply, _ availability: AvailabilityReply) -> [String?] {
        var notes = SlotViews.notes(availability)
        // Free times that are computed come with the provenance of the same appointments.
        if case .server = availability.availability.source {
            notes += ResultNotes.provenance(reply.appointments.provenance)
        }
        return notes
    }

    static func report(_ week: Week, notes: [String?] = []) -> Report {
        Report(
            [
                .line("\(week.salon.name), \(week.salon.location)"), .line(range(of: week)),
                .line(""),
                .fitting { lines(of: week, in: $0) },
            ],
            notes: notes
        )
    }

    private static let columns: [TextTable.Column] = [
        .init("TIME"), .init("STATE"), .init("SERVICE", isFlexible: true, isOptional: true),
        .init("SEATS", isOptional: true), .init("PHONE", isFlexible: true, isOptional: true),
    ]

    /// The lines of the table. If they do not fit, the last one says what is left out.
    private static func lines(of week: Week, in space: Report.Space) -> [String] {
        var rows = TableRows(of: week, isNarrow: false)
        if rows.table.minimumWidth > space.width ?? .max {
            rows = TableRows(of: week, isNarrow: true)
        }
        let lines = rows.table.lines(width: space.width, isColored: space.isColored)
        guard let height = space.height, lines.count > height else { return lines }
        let rest = rows.places[(height - 1)...]
        return lines.prefix(height - 1) + [leftOut(rest, of: week, in: space.width)]
    }

    /// Names the days of the first group, and the other groups, that the lines `places` belong to.
    private static func leftOut(
        _ places: ArraySlice<TableRows.Place>,
        of week: Week,
        in width: Int?
    ) -> String {
        let first = places.first
        let from = first.flatMap(\.date).map { "from \(day($0))" }
        let start = [first.flatMap(\.title), from].compactMap(\.self).joined(separator: " ")
        var titles: [String] = []
        for title in places.compactMap(\.title)
        where title != first?.title && titles.last != title {
            titles.append(title)
        }
        let names = ([start] + titles).joined(separator: ", ")
        let line = SafeText.line("\(places.count.counting("more line")): \(names)")
        guard let width, DisplayWidth.of(line) > width else { return line }
        return DisplayWidth.prefix(of: line, columns: max(0, width - 1)) + "…"
    }

    /// The table of a week. The staff members are headings. So are the days if the table is narrow;
    /// otherwise they are in the first column.
    private struct TableRows {
        /// What a line of the table belongs to.
        struct Place {
            var title: String?
            var date: CalendarDate?
        }

        private(set) var table: TextTable
        /// The place of each line.
        private(set) var places = [Place()]

        init(of week: Week, isNarrow: Bool) {
            table = TextTable((isNarrow ? [] : [.init("DAY")]) + columns)
            for group in week.groups {
                if !isNarrow, let title = group.title {
                    addHeading(title, Place(title: title, date: week.dates.first))
                }
                for date in week.dates {
                    let place = Place(title: group.title, date: date)
                    let rows = group.rows(on: date, of: week)
                    if isNarrow, !rows.isEmpty {
                        let heading = [group.title, day(date)].compactMap(\.self)
                        addHeading(heading.joined(separator: ", "), place)
                    }
                    for (number, row) in rows.enumerated() {
                        let (cells, style) = cells(of: row, on: date, week)
                        let first = isNarrow ? [] : [number == 0 ? day(date) : nil]
                        table.add(first + cells, style: style)
                        places.append(place)
                    }
                }
            }
        }

        private mutating func addHeading(_ text: String, _ place: Place) {
            table.addHeading(text)
            places += [place, place]
        }
    }

    static func range(of week: Week) -> String {
        let dates = [week.dates.first, week.dates.last].compactMap { $0?.description }
        let zone = week.clock.zone.map { ", \($0)" } ?? ""
        return dates.joined(separator: " to ") + zone
    }

    static func day(_ date: CalendarDate) -> String {
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

    static func state(of content: WeekRow.Content) -> (String, TextStyle?) {
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
