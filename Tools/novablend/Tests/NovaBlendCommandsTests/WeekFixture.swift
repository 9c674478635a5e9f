import CommandLineKit
import Contract
import Domain
import JSON
import Testing

@testable import NovaBlendCommands

/// What the command `week` makes its table from.
struct WeekFixture {
    private static let id = "5a100000-0000-4000-8000-000000000001"

    /// More members of the salon, as JSON.
    var salon = #""slot_minutes":60,"open_time":9,"close_time":18"#
    /// The salon's time zone; nil for none.
    var zone: String? = "Europe/Berlin"
    var now = "2026-11-23T08:00:00+01:00"
    /// When the week begins; nil for the midnight before the first day.
    var from: String?
    private var times: [WeekTimes] = []
    private var appointments: [String] = []

    /// Adds days: objects with a date, and the times of each state, such as `09:30`,
    /// `2026-11-24T00:30`, or `02:30+02:00`. `freeCounts` says how many are free at each free time.
    mutating func add(
        staffID: String? = nil,
        offset: String? = "+01:00",
        slotMinutes: Int = 60,
        days: [String]
    ) throws {
        times.append(
            WeekTimes(
                staffID: staffID,
                days: try days.map { text in
                    let day = try JSONDocument(parsing: Array(text.utf8)).root.object()
                    return try Self.day(day, day.text("offset") ?? offset ?? "", slotMinutes)
                }
            )
        )
    }

    private static func day(
        _ day: JSONObject,
        _ offset: String,
        _ minutes: Int
    ) throws -> AvailableDay {
        let date = try #require(day.text("date"))
        let counts = try day.optional("freeCounts")?.array().map { try $0.integer() } ?? []
        let lists: [(StaticString, AvailableDay.State)] = [
            ("free", .free), ("unconfirmed", .unconfirmed), ("taken", .taken), ("own", .own),
        ]
        let times = try lists.flatMap { name, state in
            try day.texts(name).enumerated().map { number, text in
                let start = try time(text, date, offset)
                let end = start.advanced(byMinutes: minutes)
                var slot = AvailableDay.Time(start: start, end: end, state: state)
                if state == .free, number < counts.count { slot.free = counts[number] }
                return slot
            }
        }
        return AvailableDay(
            date: try #require(ISO8601.parse("\(date)T00:00:00Z")).localTime.date,
            offsetMinutes: 0,
            hours: [],
            times: times.sorted { $0.start < $1.start }
        )
    }

    private static func time(
        _ text: String,
        _ date: String,
        _ offset: String
    ) throws -> AppointmentTime {
        let parts = text.split(separator: "T")
        let clock = try #require(parts.last).prefix { !"+-".contains($0) }
        let own = try #require(parts.last).dropFirst(clock.count)
        let date = parts.count > 1 ? String(parts[0]) : date
        return try #require(
            ISO8601.parse("\(date)T\(clock):00\(own.isEmpty ? offset : String(own))")
        )
    }

    /// Adds an appointment. The phone numbers are +49 30 1, +49 30 2, and so on.
    mutating func book(_ time: String, _ members: String) {
        let more = members.isEmpty ? "" : ",\(members)"
        appointments.append(
            #"{"salonId":"\#(Self.id)","appointmentTime":"\#(time)","#
                + #""phone":"+49 30 \#(appointments.count + 1)"\#(more)}"#
        )
    }

    func report() throws -> Report { WeekView.report(try week()) }

    /// The grid of each day.
    func dayReport() throws -> Report { DayGridView.report(try week()) }

    private func week() throws -> Week {
        let zone = zone.map { #","time_zone":"\#($0)""# } ?? ""
        let salon =
            #"{"id":"\#(Self.id)","name":"Sol","location":"Berlin"\#(zone),\#(salon)}"#
        let bookings = try appointments.map { text in
            let appointment = try JSONDocument(parsing: Array(text.utf8)).root
            return WeekBooking(
                appointment: try AppointmentCodec.read(appointment),
                isOwn: try appointment.object().optional("own")?.bool() ?? false
            )
        }
        let now = try #require(ISO8601.parse(now))
        let first = try #require(times.first?.days.first?.date)
        let offset = ISO8601.formatOffset(minutes: now.offsetMinutes)
        let from = try #require(ISO8601.parse(from ?? "\(first)T00:00:00\(offset)"))
        return Week(
            of: try SalonCodec.read(JSONDocument(parsing: Array(salon.utf8)).root),
            now: now,
            from: from.instant,
            zone: self.zone,
            times: times,
            bookings: bookings,
            staffID: nil
        )
    }
}

extension Report {
    /// The lines of the result on a terminal with `width` columns, or in a pipe if it is nil.
    func lines(width: Int? = nil, height: Int? = nil, isColored: Bool = false) -> [String] {
        let space = Space(width: width, height: height, isColored: isColored)
        return blocks.flatMap { $0.lines(in: space) }
    }
}
