import JSON
import Testing

@Suite("Bookings that match an open intent", .throttled, .timeLimit(.minutes(10)))
struct PendingIntentTests {
    @Test("the same booking without a key is sent again under the key of the intent")
    func joins() async throws {
        let fixture = try BookingFixture(BookingServer.losesRequests)
        let booking = fixture.booking(key: nil)
        let key = try await fixture.client().callInDoubt("appointments/book", booking.params)
        fixture.server.setFault(nil)
        // The server is not known to honor keys, so nothing is sent within the grace period.
        let client = try fixture.client(minutesLater: 4)
        let booked = try await client.result("appointments/book", booking.params)
        #expect(try booked.required("idempotencyKey").string() == key)
        #expect(fixture.server.bookingKeys == [key])
        #expect(try await client.openKeys().isEmpty)
    }

    @Test(
        "a booking that differs only in email or notes is not sent, and is in doubt under the same key",
        arguments: [#","email":"ada@example.com""#, #","notes":"by the window""#]
    )
    func differs(member: String) async throws {
        let fixture = try BookingFixture(BookingServer.losesRequests)
        let client = try fixture.client()
        let time = fixture.booking().time
        let first = fixture.params(at: time, key: nil)
        let key = try await client.callInDoubt("appointments/book", first)
        let count = fixture.server.requests("POST").count
        fixture.server.setFault(nil)
        let second = fixture.params(at: time, key: nil, member)
        #expect(try await client.callInDoubt("appointments/book", second) == key)
        #expect(fixture.server.requests("POST").count == count)
        #expect(try await client.openKeys() == [key])
    }

    @Test("equal bookings with two keys are two bookings")
    func twoKeys() async throws {
        let fixture = try BookingFixture(BookingServer.losesRequests)
        let client = try fixture.client()
        let time = fixture.booking().time
        _ = try await client.callInDoubt("appointments/book", fixture.params(at: time, key: "one"))
        fixture.server.setFault(nil)
        let second = fixture.params(at: time, key: "two")
        let booked = try await client.result("appointments/book", second)
        #expect(try booked.required("idempotencyKey").string() == "two")
    }

    @Test(
        "an intent that one process is resending is not resolved by others until that process ends"
    )
    func locked() async throws {
        let gate = Gate()
        defer { gate.open() }
        let fixture = try BookingFixture(BookingServer.losesRequests)
        fixture.server.update { $0.statesKeys = true }
        let resending = try fixture.client()
        let params = fixture.booking().params
        let key = try await resending.callInDoubt("appointments/book", params)
        fixture.server.setFault { request, _ in
            request.method == "POST" ? .withheld(gate, .hangUp) : nil
        }
        resending.send(1, "appointments/book", params)
        await gate.waitForArrival()

        // For this process the attempt is ten minutes old. Only the lock shows that it is running.
        let resolving = try fixture.client(minutesLater: 10)
        #expect([nil, "inDoubt"].contains(try await resolving.resolutions()[key]))
        #expect(try await resolving.openKeys() == [key])
        resending.child.kill()
        // The lookup that this process makes at its start may find the outcome first. Then the result
        // omits it.
        let outcome = try await resolving.resolutions()[key]
        #expect([nil, "notFound"].contains(outcome))
        #expect(try await resolving.openKeys() == [])
    }

    @Test("an appointment that belongs to one key is not evidence for a different key")
    func belongsToOther() async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        let time = fixture.booking().time
        _ = try await client.result("appointments/book", fixture.params(at: time, key: "one"))
        fixture.server.setFault(BookingServer.losesRequests)
        let second = fixture.params(at: time, key: "two")
        #expect(try await client.callInDoubt("appointments/book", second) == "two")
    }
}
