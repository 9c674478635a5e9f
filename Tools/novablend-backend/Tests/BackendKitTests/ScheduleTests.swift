import Contract
import Domain
import Testing

@testable import BackendKit

@Suite("The backend's schedule", .timeLimit(.minutes(2)))
struct ScheduleTests {
    @Test("a time that begins no slot is refused by its rule, with slots that can be booked")
    func offGrid() throws {
        let server = try RoundTheClock()
        defer { server.backend.stop() }
        for (minutes, seconds): (Int, Int64) in [(25, 0), (30, -1), (30, 1)] {
            let answer = try #require(
                server.post(try RoundTheClock.time(minutes, seconds: seconds))
            )
            #expect(answer.status == 422)
            let refusal = try answer.refusal()
            #expect(refusal.name == "notBookable" && refusal.rule == "offGrid")
            let first = try #require(refusal.alternatives.first)
            #expect(server.post(first)?.status == 201)
        }
    }

    @Test("lead time, furthest day and a closed day are respected in lists and in bookings")
    func limits() throws {
        let closed = try RoundTheClock.time(1_440).localTime.date
        let server = try RoundTheClock {
            $0.furthestDays = 2
            $0.exceptions = [OpeningException(date: closed, hours: nil)]
        }
        defer { server.backend.stop() }
        #expect(server.post(try RoundTheClock.time(0))?.status == 201)
        let refusals = [(1_440, "closed on \(closed)"), (2 * 1_440, "tooFarAhead")]
        for (minutes, told) in refusals {
            let answer = try #require(server.post(try RoundTheClock.time(minutes)))
            #expect(answer.status == 422 && answer.body.contains(told), "\(answer)")
        }
        let slots = try server.slots(from: try RoundTheClock.time(0), minutes: 3 * 1_440)
        #expect(slots.filter(\.isAvailable).count == 47)
    }

    @Test("a booking of a longer slot of before blocks the shorter ones that it overlaps")
    func overlaps() throws {
        let database = try TemporaryDatabase()
        let hourly = try RoundTheClock(database: database.path, minutes: 60)
        #expect(hourly.post(try RoundTheClock.time(60))?.status == 201)
        hourly.backend.stop()
        let quarterly = try RoundTheClock(database: database.path, minutes: 15)
        for minutes in [60, 75, 105] {
            #expect(quarterly.post(try RoundTheClock.time(minutes))?.status == 409)
        }
        let list = try quarterly.slots(from: try RoundTheClock.time(30), minutes: 120)
        #expect(list.map(\.isAvailable) == [true, true, false, false, false, false, true, true])
        #expect(quarterly.post(try RoundTheClock.time(75 - 30))?.status == 201)
        quarterly.backend.stop()
        let again = try RoundTheClock(database: database.path, minutes: 60)
        defer { again.backend.stop() }
        #expect(again.post(try RoundTheClock.time(0))?.status == 409)
        #expect(again.post(try RoundTheClock.time(120))?.status == 201)
    }

    @Test("clocks of other offsets cut other slots, and still none is sold twice")
    func offsets() throws {
        let server = try RoundTheClock()
        defer { server.backend.stop() }
        #expect(server.post(try RoundTheClock.time(60))?.status == 201)
        // 06:30 in Kathmandu, 15 minutes before the booking above begins.
        var overlapping = try RoundTheClock.time(45)
        overlapping.offsetMinutes = 345
        #expect(server.post(overlapping)?.status == 409)
    }

    @Test("a salon is listed and booked on the clock of its zone, whatever offset is asked in")
    func zone() throws {
        let server = try RoundTheClock {
            $0.timeZone = ZoneID("Asia/Kathmandu")
            $0.hours = OpeningHours(
                opens: TimeOfDay(minuteOfDay: 540),
                closes: TimeOfDay(minuteOfDay: 600)
            )
        }
        defer { server.backend.stop() }
        let slots = try server.slots(from: try RoundTheClock.time(0), minutes: 1_440)
        #expect(
            slots.map { ISO8601.format($0.start).suffix(13) } == ["09:00:00+0545", "09:30:00+0545"]
        )
        #expect(server.post(try RoundTheClock.time(195))?.status == 201)
        let closed = try #require(server.post(try RoundTheClock.time(540))).refusal()
        #expect(closed.name == "outsideOpeningHours")
        let first = try #require(closed.alternatives.first)
        #expect(server.post(first)?.status == 201)
    }
}
