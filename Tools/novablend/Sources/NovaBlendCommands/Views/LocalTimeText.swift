import Contract
import Domain

/// The text of a time of day for a table.
enum LocalTimeText {
    /// The time of day on `clock`: `09:30`, with seconds if there are any, and with the UTC offset if
    /// the clock shows this time twice.
    static func text(of instant: Timestamp, on clock: SalonClock) -> String {
        let time = clock.time(at: instant)
        let local = time.localTime
        let second = local.secondOfDay % 60
        var text = local.timeOfDay.description
        if second != 0 { text += (second < 10 ? ":0" : ":") + "\(second)" }
        if case .ambiguous = clock.reading(of: local) {
            text += ISO8601.formatOffset(minutes: time.offsetMinutes)
        }
        return text
    }
}
