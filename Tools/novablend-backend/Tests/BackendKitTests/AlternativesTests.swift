import BookingStorage
import Contract
import Testing

@testable import BackendKit

@Suite("Free times in the rejection of a booking", .timeLimit(.minutes(10)))
struct AlternativesTests {
    @Test("are left out if they cannot be read, because the booking is certainly rejected")
    func unreadable() async throws {
        let fixture = try await VisibilityFixture()
        let booking = try BookingRequestCodec.decode(VisibilityFixture.booking(hour: 1))
        let found = await #expect(throws: Problem.self) {
            try await fixture.routes.offeringAlternatives(to: booking) {
                throw StoreError.slotUnavailable
            }
        }
        #expect(found?.alternatives.count == 3)
        fixture.store.close()
        let problem = await #expect(throws: Problem.self) {
            try await fixture.routes.offeringAlternatives(to: booking) {
                throw StoreError.slotUnavailable
            }
        }
        #expect(problem?.kind == .slotUnavailable && problem?.alternatives.isEmpty == true)
        let withoutBooking = await #expect(throws: Problem.self) {
            try await fixture.routes.offeringAlternatives(
                to: try await fixture.store.appointment("1", visibleTo: .administrator)?.booking
            ) {
                throw StoreError.slotUnavailable
            }
        }
        #expect(withoutBooking?.kind == .slotUnavailable)
    }
}
