import JSON
import Testing

@Suite("Lists that overlap a booking", .throttled, .timeLimit(.minutes(10)))
struct OverlappingListTests {
    private let gate = Gate()

    /// Answers the first list only when the gate opens, as it was when it was requested.
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

    /// A client whose list request, with the id 7, is under way.
    private func listingClient(_ fixture: BookingFixture) async throws -> Novablend {
        let client = try fixture.client()
        client.send(7, "appointments/list", "{}")
        await gate.waitForArrival()
        return client
    }

    @Test("the lookup after a lost answer does not join a list that is under way")
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

    @Test("a list called after a booking is not answered by one that was requested before it")
    func laterList() async throws {
        defer { gate.open() }
        let fixture = try BookingFixture(withholdingFirstList())
        let client = try await listingClient(fixture)
        let booking = fixture.booking()
        _ = try await client.result("appointments/book", booking.params)
        client.send(8, "appointments/list", "{}")
        client.send(9, "cache/status", "{}")
        // Once the last call is answered, the list call before it is under way.
        let first = await replies(of: client, through: 9)
        gate.open()
        let rest = first[8] == nil ? await replies(of: client, through: 8) : first
        #expect(rest[8]?.contains(booking.time) == true)
    }

    /// The replies by id, up to the one with `last`.
    private func replies(of client: Novablend, through last: Int) async -> [Int: String] {
        var replies: [Int: String] = [:]
        while replies[last] == nil, let line = await client.child.line() {
            let id = (7...9).first { line.contains(#""id":\#($0),"#) }
            if let id { replies[id] = line }
        }
        return replies
    }
}
