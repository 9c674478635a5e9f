import BookingStorageTestSupport
import Contract
import Domain
import Testing

@testable import BackendKit

@Suite("The times that an appointment can be moved to", .timeLimit(.minutes(10)))
struct ChangeRuleTests {
    @Test("an appointment can be moved to exactly the slots that are available")
    func offered() throws {
        let closed = try AlwaysOpenBackend.time(1_440).localTime.date
        let server = try AlwaysOpenBackend(minutes: 120) {
            $0.exceptions = [OpeningException(date: closed, hours: [])]
            $0.furthestDays = 2
        }
        defer { server.backend.stop() }
        let booked = try server.book(try AlwaysOpenBackend.time(0))
        _ = try server.book(try AlwaysOpenBackend.time(240))
        let slots = try server.slots(from: try AlwaysOpenBackend.time(0), minutes: 3 * 1_440)
        #expect(Set(slots.map(\.isAvailable)) == [true, false])
        for slot in slots where slot.start.instant != booked.booking.time.instant {
            let status = server.patch(booked.id, to: slot.start)?.status ?? 0
            #expect(slot.isAvailable ? status == 200 : [409, 422].contains(status))
        }
    }

    @Test("moving to a blocked time fails with the same error as booking that time")
    func blocked() throws {
        let closed = try AlwaysOpenBackend.time(1_440).localTime.date
        let server = try AlwaysOpenBackend {
            $0.exceptions = [OpeningException(date: closed, hours: [])]
            $0.furthestDays = 2
        }
        defer { server.backend.stop() }
        let booked = try server.book(try AlwaysOpenBackend.time(0))
        _ = try server.book(try AlwaysOpenBackend.time(60))
        let times = [
            try AlwaysOpenBackend.time(60), try AlwaysOpenBackend.time(75),
            try AlwaysOpenBackend.time(1_440),
            try AlwaysOpenBackend.time(3 * 1_440), try AlwaysOpenBackend.time(-10 * 1_440),
        ]
        let names = try times.map { time in
            let rejected = try #require(server.patch(booked.id, to: time))
            let asBooking = try #require(server.post(time))
            #expect(rejected.status == asBooking.status && rejected.body == asBooking.body)
            let error = try rejected.errorBody()
            return error.rule ?? error.name
        }
        #expect(
            names == [
                "slotUnavailable", "offGrid", "outsideOpeningHours", "tooFarAhead",
                "invalidBooking",
            ]
        )
        #expect(try server.appointments().map(\.version) == [1, 1])
    }

    @Test("an appointment can be moved to the alternatives in an error")
    func alternatives() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        let booked = try server.book(try AlwaysOpenBackend.time(0))
        let takenTime = try AlwaysOpenBackend.time(60)
        _ = try server.book(takenTime)
        let rejected = try #require(server.patch(booked.id, to: takenTime))
        let times = try rejected.errorBody().alternatives
        #expect(times.count == 3)
        for time in times { #expect(server.patch(booked.id, to: time)?.status == 200) }
    }

    @Test(
        "an appointment can be moved to its own time, or to a time that overlaps its own"
    )
    func itself() async throws {
        let database = try TemporaryDatabase()
        let hourly = try AlwaysOpenBackend(database: database.path, minutes: 60)
        let booked = try hourly.book(try AlwaysOpenBackend.time(60))
        let same = try #require(hourly.patch(booked.id, to: booked.booking.time)).appointment()
        #expect(same.booking == booked.booking && same.version == 2)
        hourly.backend.stop()
        try await database.replaceSalon(minutes: 15)
        let quarterly = try AlwaysOpenBackend(database: database.path, minutes: 15)
        defer { quarterly.backend.stop() }
        #expect(quarterly.post(try AlwaysOpenBackend.time(75))?.status == 409)
        let moved = quarterly.patch(booked.id, to: try AlwaysOpenBackend.time(75))
        #expect(moved?.status == 200)
        // The move has shortened it to the new slot length.
        #expect(quarterly.post(try AlwaysOpenBackend.time(60))?.status == 201)
        #expect(quarterly.post(try AlwaysOpenBackend.time(90))?.status == 201)
    }

    @Test("the current time remains allowed after the salon's rules have changed")
    func currentTime() async throws {
        let database = try TemporaryDatabase()
        let before = try AlwaysOpenBackend(database: database.path, minutes: 15)
        let booked = try before.book(try AlwaysOpenBackend.time(15))
        _ = try before.book(try AlwaysOpenBackend.time(30))
        before.backend.stop()
        try await database.replaceSalon(minutes: 60)
        let after = try AlwaysOpenBackend(database: database.path, minutes: 60)
        defer { after.backend.stop() }
        #expect(after.patch(booked.id, to: booked.booking.time)?.status == 200)
        #expect(after.patch(booked.id, to: try AlwaysOpenBackend.time(45))?.status == 422)
        #expect(after.patch(booked.id, to: try AlwaysOpenBackend.time(0))?.status == 409)
    }

    @Test("a move can change only the UTC offset of the time")
    func offset() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        var time = booked.booking.time
        time.offsetMinutes = 345
        let moved = try #require(server.patch(booked.id, to: time)).appointment()
        #expect(moved.booking.time == time)
    }
}
