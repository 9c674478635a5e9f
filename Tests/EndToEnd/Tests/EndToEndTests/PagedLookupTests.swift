import JSON
import Testing

/// Lookups at a server whose list of appointments has one appointment per page.
@Suite("Lookups in several pages", .throttled, .timeLimit(.minutes(10)))
struct PagedLookupTests {
    /// A fixture whose server already has two appointments.
    private func fixture(_ fault: @escaping BookingServer.Fault) throws -> BookingFixture {
        let fixture = try BookingFixture(BookingServer.paged(fault))
        let times = (fixture.booking().time, fixture.booking().time)
        fixture.server.update {
            $0.entries = [
                .init(id: "x1", time: times.0, phone: "+49 30 9999999"),
                .init(id: "x2", time: times.1, phone: "+49 30 8888888"),
            ]
        }
        return fixture
    }

    @Test("a booking whose response was lost is found on the third page")
    func found() async throws {
        let fixture = try fixture(BookingServer.losesResponses)
        let booking = fixture.booking()
        let booked = try await fixture.client().result("appointments/book", booking.params)
        #expect(booked.text.contains(booking.time))
        #expect(fixture.server.bookingKeys.count == 1)
        let lookup = fixture.server.requests("GET").filter { $0.path == "/appointments" }
        let last = try #require(lookup.last)
        #expect(last.target.contains("cursor=2&fresh="), "\(last.target)")
    }

    @Test("a booking that is on no page is notFound after the grace period")
    func absent() async throws {
        let fixture = try fixture(BookingServer.losesRequests)
        let later = try await fixture.observer()
        let key = try await fixture.client().callInDoubt(
            "appointments/book",
            fixture.booking().params
        )
        #expect(try await later.resolutions() == [key: "notFound"])
    }

    @Test("a booking stays in doubt while a page fails, and is resolved afterwards")
    func failedPage() async throws {
        let fixture = try fixture(BookingServer.losesEveryResponse)
        let later = try await fixture.observer()
        let broken = BookingServer.paged(BookingServer.losesEveryResponse)
        fixture.server.setFault { request, state in
            let isSecondPage = request.target.contains("cursor=1")
            return isSecondPage ? .reply(500) : broken(request, &state)
        }
        let key = try await fixture.client().callInDoubt(
            "appointments/book",
            fixture.booking().params
        )
        #expect(try await later.resolutions() == [key: "inDoubt"])
        fixture.server.setFault(broken)
        #expect(try await later.resolutions() == [key: "booked"])
    }

    @Test("a booking stays in doubt if the pages form a loop or have a different origin")
    func unusableLinks() async throws {
        let foreign = try BookingServer()
        for next in ["/appointments", foreign.url + "/appointments?cursor=1"] {
            let fixture = try BookingFixture { request, state in
                if request.method != "GET" { return .hangUp }
                guard request.path == "/appointments" else { return nil }
                return .reply(200, state.appointmentList, headers: ["Link": "<\(next)>; rel=next"])
            }
            let later = try await fixture.observer()
            let key = try await fixture.client().callInDoubt(
                "appointments/book",
                fixture.booking().params
            )
            #expect(try await later.resolutions() == [key: "inDoubt"])
        }
        #expect(foreign.requests("GET").isEmpty)
    }

    @Test("an appointment on the last page can be cancelled")
    func cancelled() async throws {
        let fixture = try fixture { _, _ in nil }
        let client = try fixture.client()
        let (id, target) = try await fixture.booked(through: client)
        let change = fixture.change(of: id, to: target, "appointments/cancel")
        let result = try await client.result("appointments/cancel", change)
        #expect(result.text.contains(#""status":"cancelled""#))
    }
}
