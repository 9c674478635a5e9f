import CommandLineKit
import Contract
import Domain
import Glibc
import JSONRPC
import NovaBlendMethods
import Zones

/// Passes times that people type to methods, which read the same forms and resolve a day or a local time
/// on the clock of each salon. Only at a salon that states no time zone or could not be loaded, where a
/// method requires an offset, a time has the offset of this machine's clock.
struct TypedTime: Sendable {
    /// The forms of a day, for people.
    static let dayForms = "today, tomorrow, a weekday, or a date"
    /// The words that mean a day, for a shell.
    static let dayWords =
        ["today", "tomorrow"] + Weekday.allCases.map { $0.rawValue.lowercased() }
    /// The forms of a time, for people.
    static let timeForms =
        "a day and a time of day, such as 2026-11-24T14:30, 'tomorrow 9:00', or 'mon 14:30', with or "
        + "without a UTC offset"

    private let clock: SalonClock
    private let usesMachineClock: Bool
    private let now: Timestamp

    /// - Parameters:
    ///   - clock: The clock of the salon's time zone; nil if it states none, or one that this machine
    ///     does not know.
    ///   - usesMachineClock: Whether the salon is named, and its time zone is not known.
    ///   - zones: The source of this machine's time zone.
    init(
        clock: SalonClock?,
        usesMachineClock: Bool = false,
        now: Timestamp = Timestamp(secondsSince1970: Int64(Glibc.time(nil))),
        zones: any ZoneSource = ZoneDirectory()
    ) {
        self.clock = clock ?? .machine(zones)
        self.usesMachineClock = usesMachineClock
        self.now = now
    }

    /// The time for the parameter `parameter` of a method; nil unless `typed` is a day and a time of
    /// day. The text is unchanged if the method can read it, because only the method knows the clock that
    /// each salon has now. Throws for a day or a time that does not exist, or that this machine's clock
    /// skips or shows twice.
    func time(_ typed: String, for parameter: String) throws(CommandError) -> String? {
        switch Self.parse(typed) {
        case .time(let requested):
            guard usesMachineClock, let local = local(requested) else { return typed }
            do {
                return ISO8601.formatRFC3339(try clock.time(of: local, in: parameter))
            } catch {
                throw CommandError(RPCError(error))
            }
        case .invalid(let expected):
            throw CommandError(
                .invalidParams("\"\(parameter)\" must be \(expected)", parameter: parameter)
            )
        case .day, .relativeDay, .unknownForm: return nil
        }
    }

    /// The start or the end of a range, for a method. A day means its beginning or its end. Nil for any
    /// other text.
    func bound(_ typed: String, for parameter: String) throws(CommandError) -> String? {
        isDay(typed) ? typed : try time(typed, for: parameter)
    }

    /// Whether `typed` is a day without a time.
    func isDay(_ typed: String) -> Bool {
        switch Self.parse(typed) {
        case .day, .relativeDay: true
        case .time, .invalid, .unknownForm: false
        }
    }

    private static func parse(_ typed: String) -> TimeText {
        var text = typed
        return text.withUTF8 { TimeText($0) }
    }

    /// The wall-clock time without an offset; nil if there is an offset.
    private func local(_ time: RequestedTime) -> LocalTime? {
        switch time {
        case .local(let local): local
        case .relative(let relative): relative.localTime(at: clock.time(at: now).localTime)
        case .instant, .wallClock: nil
        }
    }

    /// A time, and the same time a day later, or the whole day of a day; nil if `time` is neither. A
    /// method includes the day at which a range ends.
    func dayFrom(_ time: String) -> (start: String, end: String)? {
        guard case .time(let requested) = Self.parse(time) else {
            return isDay(time) ? (time, time) : nil
        }
        switch requested {
        case .instant(let instant):
            return (time, ISO8601.formatUTC(instant.advanced(bySeconds: 86_400)))
        case .wallClock(let start):
            return (time, ISO8601.format(start.advanced(byMinutes: 1_440)))
        case .local, .relative:
            guard let local = local(requested) else { return nil }
            func text(_ seconds: Int64) -> String {
                let shown = Timestamp(secondsSince1970: local.localSeconds + seconds)
                return String(ISO8601.formatUTC(shown).dropLast())
            }
            return (text(0), text(86_400))
        }
    }

    /// The current time, for a method.
    var current: String { ISO8601.format(clock.time(at: now)) }

    /// The date of a typed day on the salon's clock, for offering times. A weekday means its next date,
    /// which can be today.
    func day(_ typed: Substring) -> CalendarDate? {
        switch Self.parse(String(typed)) {
        case .day(let date): date
        case .relativeDay(let day): day.date(at: clock.time(at: now).localTime)
        case .time, .invalid, .unknownForm: nil
        }
    }

    /// The position between date and time: a space, or the T of ISO 8601. The T counts only if the
    /// text begins with a digit, since "today" also contains one.
    static func separator(in text: String) -> String.Index? {
        if let space = text.firstIndex(of: " ") { return space }
        guard text.first?.isNumber == true else { return nil }
        return text.firstIndex { $0 == "T" || $0 == "t" }
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
            return try setDay(day, invocation, times, &params)
        }
        if params.has("start"), params.has("end") { return }
        guard !params.has("end") else { throw .usage("--end requires --start", of: invocation) }
        var start: String?
        if let typed = invocation[.start] {
            start = try times.bound(typed, for: "start")
        } else if let typed = invocation[.explain] {
            start = try times.time(typed, for: "explain")
        }
        let range = times.dayFrom(start ?? times.current) ?? (times.current, times.current)
        params.set("start", range.start)
        params.set("end", range.end)
    }

    /// Sets the range to a typed day, which the method reads on the clock of each salon.
    static func setDay(
        _ day: String,
        _ invocation: Invocation,
        _ times: TypedTime,
        _ params: inout Parameters
    ) throws(CommandError) {
        guard !params.has("start"), !params.has("end") else {
            throw .usage("--day cannot be combined with --start or --end", of: invocation)
        }
        guard times.isDay(day) else {
            throw .usage("--day must be \(TypedTime.dayForms)", of: invocation)
        }
        params.set("start", day)
        params.set("end", day)
    }
}
