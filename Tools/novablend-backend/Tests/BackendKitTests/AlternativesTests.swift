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
            try await fixture.routes.offeringAlternatives(to: (booking, nil)) {
                throw StoreError.slotUnavailable
            }
        }
        #expect(found?.alternatives.count == 3)
        fixture.store.close()
        let problem = await #expect(throws: Problem.self) {
            try await fixture.routes.offeringAlternatives(to: (booking, nil)) {
                throw StoreError.slotUnavailable
            }
        }
        #expect(problem?.kind == .slotUnavailable && problem?.alternatives.isEmpty == true)
        let withoutBooking = await #expect(throws: Problem.self) {
            try await fixture.routes.offeringAlternatives(
                to: try await fixture.store.appointment("1", visibleTo: .administrator)
                    .map { ($0.booking, $0) }
            ) {
                throw StoreError.slotUnavailable
            }
        }
        #expect(withoutBooking?.kind == .slotUnavailable)
    }

    @Test("are up to exactly two days later")
    func twoDays() throws {
        let start = try AlwaysOpenBackend.time(600)
        let server = try AlwaysOpenBackend { salon in
            salon.weekly = WeeklyHours([:])
            let hours = OpeningHours(
                opens: TimeOfDay(minuteOfDay: 570),
                closes: TimeOfDay(minuteOfDay: 660)
            )
            let date = start.localTime.date.advanced(byDays: 2)
            salon.exceptions = [OpeningException(date: date, hours: [hours])]
        }
        defer { server.backend.stop() }
        for (minutes, expected) in [(0, [-30, 0]), (-1, [-30]), (30, [-30, 0, 30])] {
            let response = try #require(server.post(start.advanced(byMinutes: minutes)))
            let wanted = expected.map { start.advanced(byMinutes: 2_880 + $0) }
            #expect(try response.errorBody().alternatives == wanted, "\(minutes)")
        }
    }
}
