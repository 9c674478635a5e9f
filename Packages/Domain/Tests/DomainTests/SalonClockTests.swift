import DomainTestSupport
import Testing

@testable import Domain

@Suite("Times at a salon")
struct SalonClockTests {
    private func berlin() throws -> SalonClock {
        let berlin = try SampleZones.berlin()
        return .zone(berlin.id, berlin.rules)
    }

    private func error(_ requested: RequestedTime, on clock: SalonClock) -> InvalidTime? {
        do {
            _ = try clock.time(of: requested)
            return nil
        } catch {
            return error.invalidTime
        }
    }

    private func clocks(_ error: InvalidTime?) -> [String]? {
        error?.candidates.map { "\($0.timeOfDay) \($0.offsetMinutes)" }
    }

    @Test("a local time in a gap is rejected, with the times before and after the gap")
    func gap() throws {
        let rejected = error(.local(try .at(2026, 3, 29, 2, 30)), on: try berlin())
        #expect(clocks(rejected) == ["01:30 60", "03:30 120"])
        #expect(rejected?.reason.contains("does not exist in Europe/Berlin") == true)
    }

    @Test("a local time that occurs twice is rejected, with both times")
    func overlap() throws {
        let rejected = error(.local(try .at(2026, 10, 25, 2, 30)), on: try berlin())
        #expect(clocks(rejected) == ["02:30 120", "02:30 60"])
    }

    @Test("any other local time gets the offset of the time zone")
    func ordinaryTimes() throws {
        let clock = try berlin()
        for (hour, offset) in [(1, 60), (3, 120)] {
            let time = try clock.time(of: .local(try .at(2026, 3, 29, hour)))
            #expect(time.offsetMinutes == offset && time.timeOfDay.hour == hour)
        }
    }

    @Test("an offset that the time zone does not have is rejected, with both possible meanings")
    func wrongOffset() throws {
        let winter = Timestamp(secondsSince1970: 1_768_478_400)
        let asked = AppointmentTime(instant: winter, offsetMinutes: 120)
        #expect(clocks(error(.wallClock(asked), on: try berlin())) == ["13:00 60", "14:00 60"])
        let right = AppointmentTime(instant: winter, offsetMinutes: 60)
        #expect(try berlin().time(of: .wallClock(right)) == right)
    }

    @Test("an instant is converted to the clock of the time zone")
    func instant() throws {
        let winter = Timestamp(secondsSince1970: 1_768_478_400)
        #expect(try berlin().time(of: .instant(winter)).offsetMinutes == 60)
    }

    @Test("an offset is clamped to 23:59", arguments: [1_440, 10_000])
    func boundedOffset(minutes: Int) throws {
        let local = try LocalTime.at(2026, 3, 29, 12)
        for sign in [1, -1] {
            let bounded = SalonClock.offset(minutes: sign * 1_439).reading(of: local)
            #expect(SalonClock.offset(minutes: sign * minutes).reading(of: local) == bounded)
            #expect(SalonClock.offset(minutes: sign * 1_438).reading(of: local) != bounded)
        }
    }

    @Test("without a time zone the requested offset applies, and without either a time is rejected")
    func noZone() throws {
        let clock = try SalonClock(of: Samples.salon(), zones: ZonesStub(), offsetMinutes: 90)
        let asked = AppointmentTime(instant: Timestamp(secondsSince1970: 0), offsetMinutes: -60)
        #expect(try clock.time(of: .wallClock(asked)) == asked)
        #expect(error(.local(try .at(2026, 1, 1)), on: clock)?.reason.contains("offset") == true)
    }

    @Test("an unknown time zone is an error")
    func unknownZone() throws {
        var salon = Samples.salon()
        let zone = try #require(ZoneID("Mars/Olympus"))
        salon.timeZone = zone
        #expect(throws: Failure.zoneUnknown(zone)) {
            try SalonClock(of: salon, zones: ZonesStub(), offsetMinutes: 0)
        }
    }
}
