import JSON
import Testing

@Suite("Bookings that a list does not show", .throttled, .timeLimit(.minutes(10)))
struct AbsenceTests {
    @Test(
        "after the grace period a booking is reported as notFound, and as booked if it appears later"
    )
    func lateAppearance() async throws {
        let fixture = try BookingFixture(BookingServer.losesRequests)
        let later = try await fixture.observer()
        let booking = fixture.booking()
        let key = try await fixture.client().callInDoubt("appointments/book", booking.params)
        #expect(try await later.resolutions() == [key: "notFound"])
        fixture.server.update {
            $0.entries = [.init(id: "a1", time: booking.time, phone: "+49 30 1234567")]
        }
        #expect(try await later.resolutions() == [key: "booked"])
        let cached = try await later.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains(booking.time))
    }

    @Test(
        "the key of a missing booking stays reserved: only the same request can book under it"
    )
    func reservedKey() async throws {
        let fixture = try BookingFixture(BookingServer.losesRequests)
        let later = try await fixture.observer()
        let (first, other) = (fixture.booking().params, fixture.booking().params)
        let key = try await fixture.client().callInDoubt("appointments/book", first)
        #expect(try await later.resolutions() == [key: "notFound"])
        fixture.server.setFault(nil)
        #expect(try await later.failure("appointments/book", other).code == 1_207)
        let booked = try await later.result("appointments/book", first)
        #expect(try booked.required("idempotencyKey").string() == key)
        #expect(fixture.server.bookingKeys == [key])
    }

    @Test("within the grace period a booking stays in doubt, and is shown as requested")
    func grace() async throws {
        let fixture = try BookingFixture(BookingServer.losesRequests)
        let soon = try await fixture.observer(minutesLater: 2)
        let booking = fixture.booking()
        let key = try await fixture.client().callInDoubt("appointments/book", booking.params)
        #expect(try await soon.resolutions() == [key: "inDoubt"])
        let preview = try await soon.result("appointments/resolve", #"{"dryRun":true}"#)
        #expect(preview.text.contains(booking.time))
    }

    @Test(
        "after a 2xx response a booking stays in doubt, regardless of its age",
        arguments: [201, 202]
    )
    func accepted(status: Int) async throws {
        let fixture = try BookingFixture(BookingServer.responding(with: status, processing: false))
        let later = try await fixture.observer()
        let key = try await fixture.client().callInDoubt(
            "appointments/book",
            fixture.booking().params
        )
        #expect(try await later.resolutions() == [key: "inDoubt"])
    }

    @Test("a list whose next page cannot be read does not prove that a booking is absent")
    func incompleteList() async throws {
        let fixture = try BookingFixture(BookingServer.truncatesList)
        let later = try await fixture.observer()
        let key = try await fixture.client().callInDoubt(
            "appointments/book",
            fixture.booking().params
        )
        #expect(try await later.resolutions() == [key: "inDoubt"])
    }

    @Test(
        "a change to an appointment on a page that cannot be read is in doubt",
        arguments: ["appointments/cancel", "appointments/reschedule"]
    )
    func changeOnUnreadablePage(method: String) async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        let (id, target) = try await fixture.booked(through: client)
        fixture.server.setFault { request, state in
            let wasSent = state.requests.contains { $0.path == "/appointments/\(id)" }
            if !wasSent { return nil }
            state.entries = []
            return BookingServer.truncatesList(request, &state)
        }
        let change = fixture.change(of: id, to: target, method)
        #expect(try await client.callInDoubt(method, change) == BookingFixture.key)
    }
}
