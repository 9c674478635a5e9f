import JSON
import Testing

@Suite("Bookings behind a shared cache", .throttled, .timeLimit(.minutes(10)))
struct SharedCacheTests {
    @Test("the lookup after a lost response reaches the server")
    func lookup() async throws {
        let fixture = try BookingFixture(
            BookingServer.behindCache(BookingServer.losesResponses)
        )
        let client = try fixture.client()
        _ = try await client.result("appointments/list")
        let booking = fixture.booking()
        let booked = try await client.result("appointments/book", booking.params)
        #expect(booked.text.contains(booking.time))
        let lookup = fixture.server.requests("GET").last { $0.path == "/appointments" }
        #expect(lookup?.hasQuery == true)
        #expect(lookup?.headers["cache-control"]?.contains("no-cache") == true)
    }

    @Test("a list after a booking reaches the server")
    func list() async throws {
        let fixture = try BookingFixture(BookingServer.behindCache { _, _ in nil })
        let client = try fixture.client()
        _ = try await client.result("appointments/list")
        let booking = fixture.booking()
        _ = try await client.result("appointments/book", booking.params)
        #expect(try await client.result("appointments/list").text.contains(booking.time))
    }

    @Test("a booking in doubt is resolved by the server, not by the shared cache")
    func resolved() async throws {
        let fixture = try BookingFixture(
            BookingServer.behindCache { request, state in
                if request.method == "GET", state.isUnreachable { return .hangUp }
                state.isUnreachable = state.isUnreachable || request.method == "POST"
                return BookingServer.losesEveryResponse(request, &state)
            }
        )
        let later = try await fixture.observer()
        let client = try fixture.client()
        _ = try await client.result("appointments/list")
        let key = try await client.callInDoubt("appointments/book", fixture.booking().params)
        fixture.server.update { $0.isUnreachable = false }
        #expect(try await later.resolutions() == [key: "booked"])
    }

    @Test("the age that a shared cache states counts toward the age of a list")
    func age() async throws {
        let fixture = try BookingFixture { request, state in
            guard request.path == "/salons" else { return nil }
            return .reply(200, state.salonList, headers: ["Age": "100"])
        }
        let client = try fixture.client()
        _ = try await client.result("salons/list")
        let cached = try await client.result("salons/list", #"{"policy":"cacheOnly"}"#)
        let provenance = try cached.required("provenance").object()
        #expect(try provenance.required("ageSeconds").integer() >= 100)
    }

    /// Rejects requests for the list that have a query.
    private static func rejectingQueries(
        _ fault: @escaping BookingServer.Fault
    ) -> BookingServer.Fault {
        { request, state in
            let isList = request.method == "GET" && request.path == "/appointments"
            return isList && request.hasQuery ? .reply(400) : fault(request, &state)
        }
    }

    @Test("if the server rejects unknown parameters, a lookup without one confirms a booking")
    func plainLookup() async throws {
        let fixture = try BookingFixture(Self.rejectingQueries(BookingServer.losesResponses))
        let booking = fixture.booking()
        let booked = try await fixture.client().result("appointments/book", booking.params)
        #expect(booked.text.contains(booking.time))
    }

    @Test("if the server rejects unknown parameters, no list proves that a booking is absent")
    func plainAbsence() async throws {
        let fixture = try BookingFixture(Self.rejectingQueries(BookingServer.losesRequests))
        let later = try await fixture.observer()
        let key = try await fixture.client().callInDoubt(
            "appointments/book",
            fixture.booking().params
        )
        #expect(try await later.resolutions() == [key: "inDoubt"])
    }
}
