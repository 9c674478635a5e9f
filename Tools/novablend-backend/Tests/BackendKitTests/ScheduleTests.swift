import BookingStorageTestSupport
import Contract
import Domain
import Testing

@testable import BackendKit

@Suite("The backend's schedule", .timeLimit(.minutes(10)))
struct ScheduleTests {
    @Test("a time between slots is rejected with the rule and with slots that can be booked")
    func offGrid() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        for (minutes, seconds): (Int, Int64) in [(25, 0), (30, -1), (30, 1)] {
            let response = try #require(
                server.post(try AlwaysOpenBackend.time(minutes, seconds: seconds))
            )
            #expect(response.status == 422)
            let error = try response.errorBody()
            #expect(error.name == "notBookable" && error.rule == "offGrid")
            let first = try #require(error.alternatives.first)
            #expect(server.post(first)?.status == 201)
        }
    }

    @Test("the last bookable day and a closed day apply to availability and to bookings")
    func limits() throws {
        let closed = try AlwaysOpenBackend.time(1_440).localTime.date
        let server = try AlwaysOpenBackend {
            $0.furthestDays = 2
            $0.exceptions = [OpeningException(date: closed, hours: [])]
        }
        defer { server.backend.stop() }
        #expect(server.post(try AlwaysOpenBackend.time(0))?.status == 201)
        let errors = [(1_440, "closed on \(closed)"), (2 * 1_440, "tooFarAhead")]
        for (minutes, text) in errors {
            let response = try #require(server.post(try AlwaysOpenBackend.time(minutes)))
            #expect(response.status == 422 && response.body.contains(text), "\(response)")
        }
        let slots = try server.slots(from: try AlwaysOpenBackend.time(0), minutes: 3 * 1_440)
        #expect(slots.filter(\.isAvailable).count == 47)
    }

    @Test("a booking blocks all overlapping slots after the slot length has changed")
    func overlaps() async throws {
        let database = try TemporaryDatabase()
        let hourly = try AlwaysOpenBackend(database: database.path, minutes: 60)
        #expect(hourly.post(try AlwaysOpenBackend.time(60))?.status == 201)
        hourly.backend.stop()
        try await database.replaceSalon(minutes: 15)
        let quarterly = try AlwaysOpenBackend(database: database.path, minutes: 15)
        for minutes in [60, 75, 105] {
            #expect(quarterly.post(try AlwaysOpenBackend.time(minutes))?.status == 409)
        }
        let list = try quarterly.slots(from: try AlwaysOpenBackend.time(30), minutes: 120)
        #expect(list.map(\.isAvailable) == [true, true, false, false, false, false, true, true])
        #expect(quarterly.post(try AlwaysOpenBackend.time(75 - 30))?.status == 201)
        quarterly.backend.stop()
        try await database.replaceSalon(minutes: 60)
        let again = try AlwaysOpenBackend(database: database.path, minutes: 60)
        defer { again.backend.stop() }
        #expect(again.post(try AlwaysOpenBackend.time(0))?.status == 409)
        #expect(again.post(try AlwaysOpenBackend.time(120))?.status == 201)
    }

    @Test("slots in different UTC offsets can overlap, but no time is booked twice")
    func offsets() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        #expect(server.post(try AlwaysOpenBackend.time(60))?.status == 201)
        // 06:30 in Kathmandu, 15 minutes before the booking above begins.
        var overlapping = try AlwaysOpenBackend.time(45)
        overlapping.offsetMinutes = 345
        #expect(server.post(overlapping)?.status == 409)
    }

    @Test("a salon with a time zone uses its local time, whatever the offset of the request")
    func zone() throws {
        let server = try AlwaysOpenBackend {
            $0.timeZone = ZoneID("Asia/Kathmandu")
            $0.hours = OpeningHours(
                opens: TimeOfDay(minuteOfDay: 540),
                closes: TimeOfDay(minuteOfDay: 600)
            )
        }
        defer { server.backend.stop() }
        let slots = try server.slots(from: try AlwaysOpenBackend.time(0), minutes: 1_440)
        #expect(
            slots.map { ISO8601.format($0.start).suffix(13) } == ["09:00:00+0545", "09:30:00+0545"]
        )
        #expect(server.post(try AlwaysOpenBackend.time(195))?.status == 201)
        let closed = try #require(server.post(try AlwaysOpenBackend.time(540))).errorBody()
        #expect(closed.name == "outsideOpeningHours")
        let first = try #require(closed.alternatives.first)
        #expect(server.post(first)?.status == 201)
    }
}
