import CommandLineKit
import Domain
import NovaBlendAdapters
import NovaBlendMethods

/// Shows the days of a week as grids: a column for each staff member, or for each seat where there is no
/// staff.
enum DayGridView {
    @Sendable static func show(_ reply: WeekReply, _ context: ViewContext) async -> Report {
        guard let week = reply.week, let first = reply.availability.first?.reply else {
            return Report(notes: ["no salon"])
        }
        return report(week, notes: WeekView.notes(reply, first))
    }

    static func report(_ week: Week, notes: [String?] = []) -> Report {
        let title = Report.Block.line("\(week.salon.name), \(week.salon.location)")
        let zone = week.clock.zone.map { ", \($0)" } ?? ""
        // There are two days if the hours of the first one end after midnight.
        let days = week.dates.flatMap { date -> [Report.Block] in
            let grid = DayGrid(of: date, in: week)
            return [
                .line(""), .line("\(date.weekday.rawValue) \(date)\(zone)"),
                .fitting { space in
                    var space = space
                    space.height = space.height.map { max(2, $0 / week.dates.count) }
                    return grid.lines(in: space)
                },
            ]
        }
        return Report([title] + days, notes: notes)
    }
}

/// What happens at a salon on a day: a row for each interval in which nothing changes.
struct DayGrid: Sendable {
    /// More seats are not shown, because no terminal is so wide.
    private static let maximumSeats = 20
    /// The smallest width of a column, with the space before it.
    private static let columnWidth = 14

    private let week: Week
    private let date: CalendarDate
    private let columns: [Column]
    /// When something begins or ends, in order.
    private let marks: [Timestamp]

    init(of date: CalendarDate, in week: Week) {
        (self.week, self.date) = (week, date)
        let groups = week.groups.map { ($0.title, $0.rows(on: date, of: week)) }
        columns = groups.flatMap { title, rows in
            title.map { [Column(title: $0, rows: rows)] } ?? Self.seats(of: week.salon, rows)
        }
        let rows = groups.flatMap(\.1).filter { !$0.isWholeDay }
        marks = Set(rows.flatMap { [$0.start, $0.end].compactMap(\.self) }).sorted()
    }

    /// The grid in a space. Lines below it name what does not fit.
    func lines(in space: Report.Space) -> [String] {
        // Times past midnight have their date.
        let times = rows(of: columns).map { DisplayWidth.of($0.cells.first.flatMap(\.self) ?? "") }
        let timeWidth = times.max() ?? 0
        let fitting = space.width.map { max(1, ($0 - timeWidth) / Self.columnWidth) }
        let shown = columns.prefix(fitting ?? columns.count)
        var notes = leftOut(columns.dropFirst(shown.count))
        var rows = rows(of: Array(shown))
        if let height = space.height, rows.count + 1 + notes.count > height {
            let count = max(0, height - 2 - notes.count)
            let current = rows.firstIndex { $0.end.map { $0 > week.now } ?? true } ?? 0
            let first = min(current, rows.count - count)
            notes += leftOut(before: rows[..<first], after: rows[(first + count)...])
            rows = Array(rows[first..<first + count])
            // What began before is not above it.
            if let start = rows.first?.start {
                rows[0] = row(start, rows[0].end, Array(shown), nil)
            }
        }
        var table = TextTable(
            [.init("TIME")] + shown.map { .init(SafeText.line($0.title), isFlexible: true) }
        )
        for row in rows { table.add(row.cells, style: row.style) }
        return table.lines(width: space.width, isColored: space.isColored)
            + notes.map { line in
                guard let width = space.width, DisplayWidth.of(line) > width else { return line }
                return DisplayWidth.prefix(of: line, columns: max(0, width - 1)) + "…"
            }
    }

    // MARK: Rows

    private struct Row {
        let start: Timestamp?
        let end: Timestamp?
        let cells: [String?]
        let style: TextStyle?
    }

    private func rows(of columns: [Column]) -> [Row] {
        let wholeDays = [Row(start: nil, end: nil, cells: [nil] + cells(columns), style: .dim)]
        let rows = zip(marks, marks.dropFirst().map(Optional.init) + [nil])
            .enumerated()
            .map { index, interval in
                let previous = index == 0 ? nil : marks[index - 1]
                return row(interval.0, interval.1, columns, previous)
            }
            .filter { row in
                // A column for a day off has no times of its own.
                columns.flatMap(\.rows).contains { other in
                    !other.isWholeDay && row.start.map(other.covers) == true
                }
            }
        return rows.isEmpty ? wholeDays : rows
    }

    private func row(
        _ start: Timestamp,
        _ end: Timestamp?,
        _ columns: [Column],
        _ previous: Timestamp?
    ) -> Row {
        let cells = columns.map { $0.cell(at: start, after: previous)?.text(at: week.salon) }
        let isPast = end.map { $0 <= week.now } ?? false
        return Row(
            start: start,
            end: end,
            cells: [time(start, end)] + cells,
            style: isPast ? .dim : nil
        )
    }

    /// The cells of a day on which no one works.
    private func cells(_ columns: [Column]) -> [String?] {
        let start = week.interval(of: date).lowerBound
        return columns.map { $0.cell(at: start, after: nil)?.text(at: week.salon) }
    }

    private func time(_ start: Timestamp, _ end: Timestamp?) -> String {
        let startDate = week.clock.time(at: start).localTime.date
        // A time past midnight belongs to the day on which the salon opened.
        let mark = startDate == date ? "" : "\(startDate) "
        let text = mark + LocalTimeText.text(of: start, on: week.clock)
        guard let end else { return text }
        let isMidnight = end == week.midnight(of: startDate.advanced(byDays: 1))
        return text + "-" + (isMidnight ? "24:00" : LocalTimeText.text(of: end, on: week.clock))
    }

    // MARK: What is left out

    private func leftOut(_ columns: ArraySlice<Column>) -> [String] {
        let more =
            week.groups.contains { $0.title == nil }
            ? (week.salon.seats ?? 1) - self.columns.count : 0
        var names = columns.map(\.title)
        if more > 0 { names.append("\(more.counting("more seat"))") }
        return names.isEmpty ? [] : [SafeText.line("not shown: " + names.joined(separator: ", "))]
    }

    private func leftOut(before: ArraySlice<Row>, after: ArraySlice<Row>) -> [String] {
        let until = before.last?.end.map { "before " + LocalTimeText.text(of: $0, on: week.clock) }
        let from = after.first?.start.map {
            "from \(LocalTimeText.text(of: $0, on: week.clock)) on"
        }
        let parts = [until, from].compactMap(\.self)
        return parts.isEmpty ? [] : ["not shown: \(parts.joined(separator: ", "))"]
    }

    // MARK: Columns

    /// A column, with the rows of a week that it shows.
    private struct Column: Sendable {
        let title: String
        var rows: [WeekRow]
        /// How many of the seats before this one are free at a time, for a seat; nil for a staff member.
        var seat: Int?
        var allBookings: [[WeekRow]] = []

        func cell(at time: Timestamp, after previous: Timestamp?) -> Cell? {
            let covering = rows.indices.filter { rows[$0].covers(time) }
            let booked = covering.filter { rows[$0].isBooking }
            if !booked.isEmpty {
                let starting = booked.filter { rows[$0].start == time || previous == nil }
                return starting.isEmpty ? .continued : .bookings(starting.map { rows[$0] })
            }
            guard let index = covering.first else {
                // Bookings elsewhere take the time, but no list says that of this seat.
                let isOpen = allBookings.contains { $0.contains { $0.covers(time) } }
                return isOpen && seat != nil ? .other(.taken) : nil
            }
            let content = content(of: rows[index], at: time)
            guard let previous, rows[index].covers(previous),
                !rows.contains(where: { $0.isBooking && $0.covers(previous) }),
                WeekView.state(of: self.content(of: rows[index], at: previous)).0
                    == WeekView.state(of: content).0
            else { return .other(content) }
            return .continued
        }

        /// What a row means for this seat: of the seats that are not booked, the first ones are free.
        private func content(of row: WeekRow, at time: Timestamp) -> WeekRow.Content {
            guard let seat, case .free(let count) = row.content else { return row.content }
            let before = allBookings.prefix(seat).count { seat in
                !seat.contains { $0.covers(time) }
            }
            return before < count ?? .max ? .free(nil) : .taken
        }
    }

    /// The columns of a salon without staff: a booking takes the first seats that are not taken.
    private static func seats(of salon: Salon, _ rows: [WeekRow]) -> [Column] {
        var bookings = Array(
            repeating: [WeekRow](),
            count: max(1, min(salon.seats ?? 1, maximumSeats))
        )
        for row in rows {
            guard case .booked(let booking) = row.content else { continue }
            var missing = min(booking.appointment.booking.options.seats, maximumSeats)
            var seat = 0
            while missing > 0, seat < maximumSeats {
                if seat == bookings.count { bookings.append([]) }
                if !bookings[seat].contains(where: { $0.covers(row.start) }) {
                    bookings[seat].append(row)
                    missing -= 1
                }
                seat += 1
            }
        }
        let others = rows.filter { !$0.isBooking }
        return bookings.indices.map { seat in
            Column(
                title: bookings.count == 1 ? "STATE" : "SEAT \(seat + 1)",
                rows: bookings[seat] + others,
                seat: seat,
                allBookings: bookings
            )
        }
    }

    private enum Cell {
        case bookings([WeekRow])
        case other(WeekRow.Content)
        case continued

        func text(at salon: Salon) -> String {
            switch self {
            case .continued: return "|"
            case .other(let content): return WeekView.state(of: content).0
            case .bookings(let rows):
                return rows.map { row in
                    var parts = [WeekView.state(of: row.content).0]
                    if case .booked(let booking) = row.content {
                        let request = booking.appointment.booking
                        let id = request.options.serviceID
                        let service = salon.services.first { $0.id == id }?.name ?? id
                        parts += [service, request.phone].compactMap(\.self)
                    }
                    return parts.joined(separator: " ")
                }.joined(separator: "; ")
            }
        }
    }
}

extension WeekRow {
    fileprivate var isBooking: Bool { if case .booked = content { true } else { false } }

    fileprivate var isWholeDay: Bool {
        switch content {
        case .closed, .dayOff: true
        default: false
        }
    }

    /// Whether the row includes a time. A booking whose end is not known includes only its start.
    fileprivate func covers(_ time: Timestamp) -> Bool {
        isWholeDay || start <= time && (end.map { time < $0 } ?? (time == start))
    }
}
