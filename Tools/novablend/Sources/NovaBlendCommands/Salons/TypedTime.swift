import CommandLineKit
import Contract
import Domain
import Glibc
import JSONRPC
import NovaBlendMethods
import Zones

/// Converts times that people type to times that methods accept. A time without an offset is a
/// local time of the salon, or of this machine if the salon states no time zone.
struct TypedTime: Sendable {
    /// The forms of a day, for people.
    static let dayForms = "today, tomorrow, a weekday, or a date"
    /// The forms of a time, for people.
    static let timeForms =
        "a day and a time of day, such as 2026-11-24T14:30, 'tomorrow 9:00', or 'mon 14:30', with or "
        + "without a UTC offset"

    private let clock: SalonClock
    private let statesZone: Bool
    private let now: Timestamp

    /// - Parameters:
    ///   - clock: The clock of the salon's time zone; nil if it states none, or one that this machine
    ///     does not know.
    ///   - statesZone: Whether the salon states a time zone.
    ///   - zones: The source of this machine's time zone.
    init(
        clock: SalonClock?,
        statesZone: Bool? = nil,
        now: Timestamp = Timestamp(secondsSince1970: Int64(Glibc.time(nil))),
        zones: any ZoneSource = ZoneDirectory()
    ) {
        self.clock = clock ?? .machine(zones)
        self.statesZone = statesZone ?? (clock != nil)
        self.now = now
    }

    /// The time for the parameter `parameter` of a method; nil unless `typed` is a day and a time of
    /// day. The method resolves a local time of a time zone, because it knows the zone that the salon
    /// has now. Throws for a time that this machine's clock skips or shows twice.
    func time(_ typed: String, for parameter: String) throws(CommandError) -> String? {
        guard let separator = Self.separator(in: typed),
            let (bare, offset) = Self.clockTime(typed[typed.index(after: separator)...]),
            let date = day(typed[..<separator], at: bare)
        else { return nil }
        var text = "\(date)T\(bare)\(offset)"
        guard let requested = text.withUTF8({ ISO8601.parseRequested($0) }) else { return nil }
        guard case .local(let local) = requested, !statesZone else { return text }
        do {
            return ISO8601.formatRFC3339(try clock.time(of: local, in: parameter))
        } catch {
            throw CommandError(RPCError(error))
        }
    }

    /// The start of a range, for a method. A day means its beginning. Nil for any other text.
    func startTime(_ typed: String, for parameter: String) throws(CommandError) -> String? {
        if let range = range(of: typed) { return range.start }
        return try time(typed, for: parameter)
    }

    /// The exclusive end of a range, for a method. A day means its end. Nil for any other text.
    func endTime(_ typed: String, for parameter: String) throws(CommandError) -> String? {
        if let range = range(of: typed) { return range.end }
        return try time(typed, for: parameter)
    }

    /// The beginning of a day, and the end of the last of `days` days, for a method; nil if `typed` is
    /// not a day.
    func range(of typed: String, days: Int = 1) -> (start: String, end: String)? {
        guard let date = day(typed[...]) else { return nil }
        let last = date.advanced(byDays: days - 1)
        // A method reads dates in the time zone that the salon has now. An end includes its date.
        if statesZone { return ("\(date)", "\(last)") }
        return (start(of: date), start(of: last.advanced(byDays: 1)))
    }

    /// The first and the last of several days, for a method that reads dates on the clock of a salon, or
    /// of this machine; nil if `typed` is not a day.
    func days(of typed: String, count: Int = 1) -> (start: String, end: String)? {
        guard let date = day(typed[...]) else { return nil }
        return ("\(date)", "\(date.advanced(byDays: count - 1))")
    }

    /// A time, and the same time a day later, or the whole day of a date; nil if `time` is neither. A
    /// method includes the date at which a range ends.
    func dayFrom(_ time: String) -> (start: String, end: String)? {
        var text = time
        if text.withUTF8(ISO8601.parseDate) != nil { return (time, time) }
        switch text.withUTF8(ISO8601.parseRequested) {
        case .instant(let instant):
            return (time, ISO8601.formatUTC(instant.advanced(bySeconds: 86_400)))
        case .wallClock(let start):
            return (time, ISO8601.format(start.advanced(byMinutes: 1_440)))
        case .local(let local):
            let shown = Timestamp(secondsSince1970: local.localSeconds + 86_400)
            return (time, String(ISO8601.formatUTC(shown).dropLast()))
        case .relative, nil: return nil
        }
    }

    /// The current time, for a method.
    var current: String { ISO8601.format(clock.time(at: now)) }

    /// The date of a typed day. A weekday means its next date, which can be today, unless the time of
    /// day `time` has passed today.
    func day(_ typed: Substring, at time: String? = nil) -> CalendarDate? {
        let local = clock.time(at: now).localTime
        if let day = TimeText.relativeDay(String(typed)) {
            let time = time.flatMap { Self.localTime("\(local.date)T\($0)") }
            return day.date(at: local, secondOfDay: time?.secondOfDay)
        }
        var text = String(typed)
        return text.withUTF8(ISO8601.parseDate)
    }

    private static func localTime(_ text: String) -> LocalTime? {
        var text = text
        guard case .local(let time) = text.withUTF8(ISO8601.parseRequested) else { return nil }
        return time
    }

    private func start(of date: CalendarDate) -> String {
        let midnight = LocalTime(date, TimeOfDay(minuteOfDay: 0))
        return ISO8601.format(clock.time(at: clock.reading(of: midnight).first))
    }

    /// The position between date and time: a space, or the T of ISO 8601. The T counts only if the
    /// text begins with a digit, since "today" also contains one.
    static func separator(in text: String) -> String.Index? {
        if let space = text.firstIndex(of: " ") { return space }
        guard text.first?.isNumber == true else { return nil }
        return text.firstIndex { $0 == "T" || $0 == "t" }
    }

    /// Splits `HH:MM` or `HH:MM:SS`, whose hour can have one digit, from the offset after it, which may
    /// be empty. The time has seconds and two digits in the hour.
    private static func clockTime(_ text: Substring) -> (bare: String, offset: String)? {
        let end = text.firstIndex { "+-Zz".contains($0) } ?? text.endIndex
        let parts = text[..<end].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let hour = parts[0].count == 1 ? "0" : ""
        return (hour + text[..<end] + (parts.count == 2 ? ":00" : ""), String(text[end...]))
    }
}

/// The range of slots that a command requests.
enum SlotRange {
    /// Sets `start` and `end`: the typed day or range, or the 24 hours after the typed start, the time
    /// to explain, or now. Without `--all`, requests only free slots.
    @Sendable static func prepare(
        _ invocation: Invocation,
        _ times: TypedTime,
        _ params: inout Parameters
    ) throws(CommandError) {
        if invocation[.all] == nil { params.set("onlyFree", true) }
        if let day = invocation[.day] {
            guard !params.has("start"), !params.has("end") else {
                throw .usage("--day cannot be combined with --start or --end", of: invocation)
            }
            guard let range = times.days(of: day) else {
                throw .usage("--day must be \(TypedTime.dayForms)", of: invocation)
            }
            params.set("start", range.start)
            return params.set("end", range.end)
        }
        if params.has("start"), params.has("end") { return }
        guard !params.has("end") else { throw .usage("--end requires --start", of: invocation) }
        var start: String?
        if let typed = invocation[.start] {
            start = try times.startTime(typed, for: "start")
        } else if let typed = invocation[.explain] {
            start = try times.time(typed, for: "explain")
        }
        let range = times.dayFrom(start ?? times.current) ?? (times.current, times.current)
        params.set("start", range.start)
        params.set("end", range.end)
    }
}
