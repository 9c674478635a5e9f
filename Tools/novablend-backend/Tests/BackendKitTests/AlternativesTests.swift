import BookingStorage
import Contract
import Domain
import Testing

@testable import BackendKit

@Suite("Free times in the rejection of a booking", .timeLimit(.minutes(10)))
struct AlternativesTests {
    @Test("are left out if they cannot be read, because the booking is certainly rejected")
    func unreadable() async throws {
        let fixture = try await VisibilityFixture()
        let booking = try BookingRequestCodec.decode(VisibilityFixture.booking(hour: 1))
        let found = await #expect(throws: Problem.self) {
            try await fixture.routes.offeringAlternatives(to: (booking, nil), for: .local) {
                throw Problem.slotUnavailable
            }
        }
        #expect(found?.alternatives.count == 3)
        fixture.store.close()
        let problem = await #expect(throws: Problem.self) {
            try await fixture.routes.offeringAlternatives(to: (booking, nil), for: .local) {
                throw Problem.slotUnavailable
            }
        }
        #expect(problem?.kind == .slotUnavailable && problem?.alternatives.isEmpty == true)
        let withoutBooking = await #expect(throws: Problem.self) {
            try await fixture.routes.offeringAlternatives(
                to: try await fixture.store.appointment("1", visibleTo: .administrator)
                    .map { ($0.booking, $0) },
                for: .local
            ) {
                throw Problem.slotUnavailable
            }
        }
        #expect(withoutBooking?.kind == .slotUnavailable)
    }

    /// A salon that is open for an hour and a half on some days from tomorrow on.
    private func backend(open days: [Int]) throws -> (AlwaysOpenBackend, AppointmentTime) {
        let start = try AlwaysOpenBackend.time(600)
        let server = try AlwaysOpenBackend { salon in
            salon.weekly = WeeklyHours([:])
            let hours = OpeningHours(
                opens: TimeOfDay(minuteOfDay: 570),
                closes: TimeOfDay(minuteOfDay: 660)
            )
            salon.exceptions = days.map { day in
                let date = start.localTime.date.advanced(byDays: day)
                return OpeningException(date: date, hours: [hours])
            }
        }
        return (server, start)
    }

    @Test("are the first ones after closed days, and the last ones before them")
    func closedDays() throws {
        let (server, start) = try backend(open: [0, 40])
        defer { server.backend.stop() }
        func rejected(_ day: Int) throws -> [Int] {
            let response = try #require(server.post(start.advanced(byMinutes: day * 1_440)))
            #expect(response.status == 422)
            return try response.errorBody().alternatives.map {
                Int($0.instant.seconds(since: start.instant) / 60)
            }
        }
        let (first, last) = ([-30, 0, 30], [57_570, 57_600, 57_630])
        for day in [1, 20, 39] { #expect(try rejected(day) == first + last) }
        #expect(try rejected(50) == last)
        let booked = try server.book(start.advanced(byMinutes: 30))
        #expect(try rejected(1) == [-30, 0] + last)
        // For the appointment itself, its own time is free.
        let move = server.patch(booked.id, to: start.advanced(byMinutes: 1_440))
        #expect(try #require(move).errorBody().alternatives.count == 6)
    }

    @Test("of a taken time are later ones on the same day, or else earlier ones, too")
    func taken() throws {
        let (server, start) = try backend(open: [0, 2])
        defer { server.backend.stop() }
        _ = try server.book(start.advanced(byMinutes: -30))
        _ = try server.book(start.advanced(byMinutes: 30))
        func alternatives(_ minutes: Int) throws -> [Int] {
            let response = try #require(server.post(start.advanced(byMinutes: minutes)))
            #expect(response.status == 409)
            return try response.errorBody().alternatives.map {
                Int($0.instant.seconds(since: start.instant) / 60)
            }
        }
        #expect(try alternatives(-30) == [0, 2_850, 2_880])
        #expect(try alternatives(30) == [0, 2_850, 2_880, 2_910])
    }
}
