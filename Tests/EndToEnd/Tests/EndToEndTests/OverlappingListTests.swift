import JSON
import Testing

@Suite("Lists that overlap a booking", .throttled, .timeLimit(.minutes(10)))
struct OverlappingListTests {
    private let gate = Gate()

    /// Withholds the first list until the gate opens. The list is as of the time of the request.
    private func withholdingFirstList(
        _ fault: @escaping BookingServer.Fault = { _, _ in nil }
    ) -> BookingServer.Fault {
        let gate = gate
        return { request, state in
            let lists = state.requests.filter { $0.method == "GET" && $0.path == "/appointments" }
            guard lists.count == 1, request.method == "GET", request.path == "/appointments" else {
                return fault(request, &state)
            }
            return .withheld(gate, .reply(200, state.appointmentList))
        }
    }

    /// A client whose list call, with the id 7, is waiting for the server.
    private func listingClient(_ fixture: BookingFixture) async throws -> Novablend {
        let client = try fixture.client()
        client.send(7, "appointments/list", "{}")
        await gate.waitForArrival()
        return client
    }

    @Test("the lookup after a lost response does not share the request of a list call")
    func lookup() async throws {
        defer { gate.open() }
        let fixture = try BookingFixture(
            withholdingFirstList(BookingServer.losesEveryResponse)
        )
        let client = try await listingClient(fixture)
        let booking = fixture.booking()
        let booked = try await client.result("appointments/book", booking.params)
        #expect(booked.text.contains(booking.time))
    }

    @Test("a list that was requested before a booking does not remove it from the cache")
    func staleList() async throws {
        defer { gate.open() }
        let fixture = try BookingFixture(withholdingFirstList())
        let client = try await listingClient(fixture)
        let booking = fixture.booking()
        _ = try await client.result("appointments/book", booking.params)
        gate.open()
        #expect(await client.child.line()?.contains(#""id":7,"#) == true)
        let cached = try await client.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains(booking.time))
    }

    @Test("a list call after a booking does not get a list that was requested before the booking")
    func laterList() async throws {
        defer { gate.open() }
        let fixture = try BookingFixture(withholdingFirstList())
        let client = try await listingClient(fixture)
        let booking = fixture.booking()
        _ = try await client.result("appointments/book", booking.params)
        client.send(8, "appointments/list", "{}")
        client.send(9, "cache/status", "{}")
        // When the last call has its response, the list call before it has started.
        let first = await replies(of: client, through: 9)
        gate.open()
        let rest = first[8] == nil ? await replies(of: client, through: 8) : first
        #expect(rest[8]?.contains(booking.time) == true)
    }

    /// The responses by id, up to the one with the id `last`.
    private func replies(of client: Novablend, through last: Int) async -> [Int: String] {
        var replies: [Int: String] = [:]
        while replies[last] == nil, let line = await client.child.line() {
            let id = (7...9).first { line.contains(#""id":\#($0),"#) }
            if let id { replies[id] = line }
        }
        return replies
    }
}
