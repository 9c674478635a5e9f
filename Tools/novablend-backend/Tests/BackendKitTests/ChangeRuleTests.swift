import Contract
import Domain
import Testing

@testable import BackendKit

@Suite("Which time an appointment can be moved to", .timeLimit(.minutes(2)))
struct ChangeRuleTests {
    @Test("every slot that availability offers can be moved to, and none that it does not")
    func offered() throws {
        let closed = try RoundTheClock.time(1_440).localTime.date
        let server = try RoundTheClock(minutes: 120) {
            $0.exceptions = [OpeningException(date: closed, hours: nil)]
            $0.furthestDays = 2
        }
        defer { server.backend.stop() }
        let booked = try server.book(try RoundTheClock.time(0))
        _ = try server.book(try RoundTheClock.time(240))
        let slots = try server.slots(from: try RoundTheClock.time(0), minutes: 3 * 1_440)
        #expect(Set(slots.map(\.isAvailable)) == [true, false])
        for slot in slots where slot.start.instant != booked.booking.time.instant {
            let status = server.patch(booked.id, to: slot.start)?.status ?? 0
            #expect(slot.isAvailable ? status == 200 : [409, 422].contains(status))
        }
    }

    @Test("a time that is blocked is refused as a booking of it is, by the same rule")
    func blocked() throws {
        let closed = try RoundTheClock.time(1_440).localTime.date
        let server = try RoundTheClock {
            $0.exceptions = [OpeningException(date: closed, hours: nil)]
            $0.furthestDays = 2
        }
        defer { server.backend.stop() }
        let booked = try server.book(try RoundTheClock.time(0))
        _ = try server.book(try RoundTheClock.time(60))
        let times = [
            try RoundTheClock.time(60), try RoundTheClock.time(75), try RoundTheClock.time(1_440),
            try RoundTheClock.time(3 * 1_440), try RoundTheClock.time(-10 * 1_440),
        ]
        let names = try times.map { time in
            let refused = try #require(server.patch(booked.id, to: time))
            let asBooking = try #require(server.post(time))
            #expect(refused.status == asBooking.status && refused.body == asBooking.body)
            let refusal = try refused.refusal()
            return refusal.rule ?? refusal.name
        }
        #expect(
            names == [
                "slotUnavailable", "offGrid", "outsideOpeningHours", "tooFarAhead",
                "invalidBooking",
            ]
        )
        #expect(try server.appointments().map(\.version) == [1, 1])
    }

    @Test("the times that a refusal offers can be moved to")
    func alternatives() throws {
        let server = try RoundTheClock()
        defer { server.backend.stop() }
        let booked = try server.book(try RoundTheClock.time(0))
        let taken = try RoundTheClock.time(60)
        _ = try server.book(taken)
        let refused = try #require(server.patch(booked.id, to: taken))
        let times = try refused.refusal().alternatives
        #expect(times.count == 3)
        for time in times { #expect(server.patch(booked.id, to: time)?.status == 200) }
    }

    @Test(
        "an appointment is in nobody's way when it moves itself: onto its time, or overlapping it"
    )
    func itself() throws {
        let database = try TemporaryDatabase()
        let hourly = try RoundTheClock(database: database.path, minutes: 60)
        let booked = try hourly.book(try RoundTheClock.time(60))
        let same = try #require(hourly.patch(booked.id, to: booked.booking.time)).appointment()
        #expect(same.booking == booked.booking && same.version == 2)
        hourly.backend.stop()
        let quarterly = try RoundTheClock(database: database.path, minutes: 15)
        defer { quarterly.backend.stop() }
        #expect(quarterly.post(try RoundTheClock.time(75))?.status == 409)
        let moved = quarterly.patch(booked.id, to: try RoundTheClock.time(75))
        #expect(moved?.status == 200)
        // It has the length of today's slots now.
        #expect(quarterly.post(try RoundTheClock.time(60))?.status == 201)
        #expect(quarterly.post(try RoundTheClock.time(90))?.status == 201)
    }

    @Test("the time that it has stays allowed when the salon's rules have become others")
    func keptTime() throws {
        let database = try TemporaryDatabase()
        let before = try RoundTheClock(database: database.path, minutes: 15)
        let booked = try before.book(try RoundTheClock.time(15))
        _ = try before.book(try RoundTheClock.time(30))
        before.backend.stop()
        let after = try RoundTheClock(database: database.path, minutes: 60)
        defer { after.backend.stop() }
        #expect(after.patch(booked.id, to: booked.booking.time)?.status == 200)
        #expect(after.patch(booked.id, to: try RoundTheClock.time(45))?.status == 422)
        #expect(after.patch(booked.id, to: try RoundTheClock.time(0))?.status == 409)
    }

    @Test("the instant may stay while the offset that it is said in changes")
    func offset() throws {
        let server = try RoundTheClock()
        defer { server.backend.stop() }
        let booked = try server.book(try RoundTheClock.time(60))
        var time = booked.booking.time
        time.offsetMinutes = 345
        let moved = try #require(server.patch(booked.id, to: time)).appointment()
        #expect(moved.booking.time == time)
    }
}
