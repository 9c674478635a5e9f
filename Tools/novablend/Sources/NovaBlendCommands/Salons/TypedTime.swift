import Contract
import Domain
import Glibc

/// Converts times that people type to times that methods accept. A time without an offset is a
/// local time of the salon, or of this machine if the salon's time zone is unknown.
struct TypedTime: Sendable {
    let clock: SalonClock?
    let now: Timestamp

    init(clock: SalonClock?, now: Timestamp = Timestamp(secondsSince1970: Int64(Glibc.time(nil)))) {
        self.clock = clock
        self.now = now
    }

    /// The time for a method. A day means its beginning. Text that is not a time is returned
    /// unchanged: the method explains what is wrong.
    func time(_ typed: String) -> String {
        if let range = range(of: typed) { return range.start }
        guard let separator = Self.separator(in: typed),
            let date = day(String(typed[..<separator])),
            let (bare, offset) = Self.clockTime(typed[typed.index(after: separator)...])
        else { return typed }
        let local = "\(date)T\(bare)"
        if !offset.isEmpty || clock != nil { return local + offset }
        return withLocalOffset(local) ?? local
    }

    /// The exclusive end of a range, for a method. A day means its end.
    func endTime(_ typed: String) -> String { range(of: typed)?.end ?? time(typed) }

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
    var current: String { ISO8601.format(self.time(at: now)) }

    private func day(_ typed: String) -> CalendarDate? {
        switch typed.lowercased() {
        case "today": return time(at: now).localTime.date
        case "tomorrow": return time(at: now).localTime.date.advanced(byDays: 1)
        default:
            var text = typed
            return text.withUTF8 { ISO8601.parseDate($0) }
        }
    }

    private func time(at instant: Timestamp) -> AppointmentTime {
        if let clock { return clock.time(at: instant) }
        let seconds = Self.localOffset(at: Int(instant.secondsSince1970))
        return AppointmentTime(instant: instant, offsetMinutes: seconds / 60)
    }

    private func start(of date: CalendarDate) -> String {
        let midnight = LocalTime(date, TimeOfDay(minuteOfDay: 0))
        // Without its offset, the method would reject the local time if the clock skips midnight.
        if let clock {
            return ISO8601.format(clock.time(at: clock.reading(of: midnight).first))
        }
        return withLocalOffset("\(date)T00:00:00") ?? "\(date)T00:00:00Z"
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

    /// A local time with the offset of this machine's clock at that time.
    private func withLocalOffset(_ local: String) -> String? {
        var text = local
        guard case .local(let time) = text.withUTF8({ ISO8601.parseRequested($0) }) else {
            return nil
        }
        let first = Int(time.secondsSince1970)
        // Near a clock change, the first guess can have the wrong offset; this corrects it.
        let offset = Self.localOffset(at: first - Self.localOffset(at: first))
        return local + ISO8601.formatOffset(minutes: offset / 60)
    }

    private static func localOffset(at seconds: Int) -> Int {
        var moment = time_t(seconds)
        var parts = tm()
        return localtime_r(&moment, &parts) == nil ? 0 : parts.tm_gmtoff
    }
}
