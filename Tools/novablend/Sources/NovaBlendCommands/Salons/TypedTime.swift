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
    private let salonClock: SalonClock?
    private let statesZone: Bool
    private let machineClock: @Sendable () -> SalonClock
    private let now: Timestamp

    /// Creates a reader for the clock of a salon; nil if it states no time zone, or one that this machine
    /// does not know.
    init(
        clock: SalonClock?,
        statesZone: Bool = false,
        now: Timestamp = Timestamp(secondsSince1970: Int64(Glibc.time(nil))),
        machine: @escaping @Sendable () -> SalonClock = { .machine() }
    ) {
        (salonClock, self.statesZone) = (clock, statesZone || clock != nil)
        (machineClock, self.now) = (machine, now)
    }

    private var clock: SalonClock { salonClock ?? machineClock() }

    /// The time for the parameter `parameter` of a method. A day means its beginning. Text that is not
    /// a time is returned unchanged: the method explains what is wrong. The method also resolves a local
    /// time of the salon. Throws for one that this machine's clock skips or shows twice.
    func time(_ typed: String, for parameter: String) throws(CommandError) -> String {
        if let range = range(of: typed) { return range.start }
        guard let separator = Self.separator(in: typed),
            let date = day(String(typed[..<separator])),
            let (bare, offset) = Self.clockTime(typed[typed.index(after: separator)...])
        else { return typed }
        var local = "\(date)T\(bare)"
        if !offset.isEmpty || statesZone { return local + offset }
        guard let requested = local.withUTF8({ ISO8601.parseRequested($0) }) else { return local }
        do throws(InvalidTimeError) { return ISO8601.format(try clock.time(of: requested)) } catch {
            throw CommandError(RPCError(error, field: parameter))
        }
    }

    /// The exclusive end of a range, for a method. A day means its end.
    func endTime(_ typed: String, for parameter: String) throws(CommandError) -> String {
        if let range = range(of: typed) { return range.end }
        return try time(typed, for: parameter)
    }

    /// The beginning of a day, and the end of the last of `days` days; nil if `typed` is not a day.
    func range(of typed: String, days: Int = 1) -> (start: String, end: String)? {
        guard let date = day(typed) else { return nil }
        return (start(of: date), start(of: date.advanced(byDays: days)))
    }

    /// A time for a method, and the same time a day later; nil if `time` is not a time.
    func dayFrom(_ time: String) -> (start: String, end: String)? {
        var text = time
        let read = text.withUTF8 { ISO8601.parseRequested($0) }
        switch read {
        case .instant(let instant):
            return (time, ISO8601.formatUTC(instant.advanced(bySeconds: 86_400)))
        case .wallClock(let start):
            return (time, ISO8601.format(start.advanced(byMinutes: 1_440)))
        case .local(let local):
            let shown = Timestamp(secondsSince1970: local.secondsSince1970 + 86_400)
            return (time, String(ISO8601.formatUTC(shown).dropLast()))
        case nil: return nil
        }
    }

    /// The current time, for a method.
    var current: String { ISO8601.format(clock.time(at: now)) }

    private func day(_ typed: String) -> CalendarDate? {
        switch typed.lowercased() {
        case "today": return clock.time(at: now).localTime.date
        case "tomorrow": return clock.time(at: now).localTime.date.advanced(byDays: 1)
        default:
            var text = typed
            return text.withUTF8 { ISO8601.parseDate($0) }
        }
    }

    private func start(of date: CalendarDate) -> String {
        let midnight = LocalTime(date, TimeOfDay(minuteOfDay: 0))
        // Without its offset, the method would reject the local time if the clock skips midnight.
        return ISO8601.format(clock.time(at: clock.reading(of: midnight).first))
    }

    /// The position between date and time: a space, or the T of ISO 8601. The T counts only if the
    /// text begins with a digit, since "today" also contains one.
    private static func separator(in text: String) -> String.Index? {
        if let space = text.firstIndex(of: " ") { return space }
        guard text.first?.isNumber == true else { return nil }
        return text.firstIndex { $0 == "T" || $0 == "t" }
    }

    /// Splits `HH:MM` or `HH:MM:SS` from the offset after it, which may be empty.
    private static func clockTime(_ text: Substring) -> (bare: String, offset: String)? {
        let end = text.firstIndex { "+-Zz".contains($0) } ?? text.endIndex
        let parts = text[..<end].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        return (text[..<end] + (parts.count == 2 ? ":00" : ""), String(text[end...]))
    }
}
