import Domain
import Testing

/// A change of the UTC offset of a real time zone, without other changes in the week before and the
/// week after.
struct ClockChange: Sendable, CustomTestStringConvertible {
    var zone: String
    /// The change, in minutes since 1970.
    var minute: Int
    /// The UTC offsets before and after the change, in minutes.
    var before: Int
    var after: Int

    var testDescription: String { "\(zone) \(before) to \(after)" }

    /// The UTC offset in minutes.
    func offset(at minute: Int) -> Int { minute < self.minute ? before : after }

    /// The clock of the zone: only this change if it was a single one, and the yearly rule of the
    /// zone otherwise.
    func clock() throws -> SalonClock {
        let id = try #require(ZoneID(zone))
        if zone == "Europe/Berlin" { return .zone(id, try SampleZones.berlin().rules) }
        let change = ZoneRules.Transition(
            Timestamp(secondsSince1970: Int64(minute) * 60),
            offsetSeconds: after * 60
        )
        let rules = ZoneRules(
            firstOffsetSeconds: before * 60,
            transitions: [change],
            tail: nil
        )
        return .zone(id, try #require(rules))
    }

    private init(_ zone: String, _ utc: LocalTime, _ before: Int, _ after: Int) {
        (self.zone, self.before, self.after) = (zone, before, after)
        minute = Int(utc.localSeconds / 60)
    }

    /// Changes in both directions, over midnight, by half an hour, and by whole days.
    static func all() throws -> [ClockChange] {
        [
            ClockChange("Europe/Berlin", try .at(2026, 3, 29, 1), 60, 120),
            ClockChange("Europe/Berlin", try .at(2026, 10, 25, 1), 120, 60),
            ClockChange("America/New_York", try .at(2026, 3, 8, 7), -300, -240),
            ClockChange("America/New_York", try .at(2026, 11, 1, 6), -240, -300),
            ClockChange("Australia/Lord_Howe", try .at(2026, 4, 4, 15), 660, 630),
            ClockChange("Australia/Lord_Howe", try .at(2026, 10, 3, 15, 30), 630, 660),
            // The first sets the clock from 00:00 to 01:00, the second from 00:00 back to 23:00 of
            // the day before.
            ClockChange("America/Sao_Paulo", try .at(2018, 11, 4, 3), -180, -120),
            ClockChange("America/Sao_Paulo", try .at(2018, 2, 18, 2), -120, -180),
            // Both skipped a day. In 1969, Kwajalein repeated one.
            ClockChange("Pacific/Apia", try .at(2011, 12, 30, 10), -600, 840),
            ClockChange("Pacific/Kwajalein", try .at(1993, 8, 21, 12), -720, 720),
            ClockChange("Pacific/Kwajalein", try .at(1969, 9, 30, 13), 660, -720),
            ClockChange("Asia/Kathmandu", try .at(1985, 12, 31, 18, 30), 330, 345),
        ]
    }
}
