import Contract
import Domain

/// Times of results as text (RFC 3339): the UTC offset has a colon.
enum RFC3339 {
    /// A time at its own offset, as `2026-11-22T10:15:00+01:00`.
    static func format(_ time: AppointmentTime) -> String { withColon(ISO8601.format(time)) }

    /// An offset, as `+01:00`.
    static func format(offsetMinutes: Int) -> String {
        withColon(ISO8601.formatOffset(minutes: offsetMinutes))
    }

    private static func withColon(_ text: String) -> String {
        "\(text.dropLast(2)):\(text.suffix(2))"
    }
}
