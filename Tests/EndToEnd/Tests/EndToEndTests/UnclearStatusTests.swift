import JSON
import Testing

@Suite("Statuses that neither confirm nor reject a booking", .throttled, .timeLimit(.minutes(10)))
struct UnclearStatusTests {
    private static let unclear = [202, 204, 206, 302, 303]
    private static let changes = ["appointments/reschedule", "appointments/cancel"]

    @Test("a booking that the list shows is booked, regardless of the status", arguments: unclear)
    func shown(status: Int) async throws {
        let fixture = try BookingFixture(BookingServer.responding(with: status))
        let booking = fixture.booking()
        let booked = try await fixture.client().result("appointments/book", booking.params)
        #expect(booked.text.contains(booking.time))
    }

    @Test("a booking that the list does not show is in doubt and stays open", arguments: unclear)
    func notShown(status: Int) async throws {
        let fixture = try BookingFixture(BookingServer.responding(with: status, processing: false))
        let client = try fixture.client()
        let key = try await client.callInDoubt("appointments/book", fixture.booking().params)
        #expect(key == BookingFixture.key)
        #expect(try await client.openKeys() == [key])
    }

    @Test("a change that gets 202 is done once the list shows it", arguments: changes)
    func changeShown(method: String) async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        let (id, target) = try await fixture.booked(through: client)
        fixture.server.setFault(BookingServer.responding(with: 202))
        let changed = try await client.result(method, fixture.change(of: id, to: target, method))
        #expect(changed.text.contains(method == Self.changes[0] ? target : "cancelled"))
    }

    @Test("a change that gets 202 is in doubt if the list does not show it", arguments: changes)
    func changeNotShown(method: String) async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        let (id, target) = try await fixture.booked(through: client)
        fixture.server.setFault(BookingServer.responding(with: 202, processing: false))
        let key = try await client.callInDoubt(method, fixture.change(of: id, to: target, method))
        #expect(key == BookingFixture.key)
        #expect(try await client.openKeys() == [key])
    }

    @Test(
        "307 and 308 to a booking that is not listed mean not booked, and the error names the new URL",
        arguments: [307, 308]
    )
    func moved(status: Int) async throws {
        let fixture = try BookingFixture(BookingServer.responding(with: status, processing: false))
        let client = try fixture.client()
        let failure = try await client.failure("appointments/book", fixture.booking().params)
        #expect(failure.code == 1_003)
        #expect(failure.message.contains("https://moved.example/appointments"))
        #expect(fixture.server.requests("POST").count == 1)
        #expect(try await client.openKeys().isEmpty)
    }

    @Test("308 to a change means not changed, and the error names the new URL", arguments: changes)
    func changeMoved(method: String) async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        let (id, target) = try await fixture.booked(through: client)
        fixture.server.setFault(BookingServer.responding(with: 308, processing: false))
        let failure = try await client.failure(method, fixture.change(of: id, to: target, method))
        #expect(failure.code == 1_003)
        #expect(failure.message.contains("https://moved.example/appointments"))
        #expect(try await client.openKeys().isEmpty)
    }
}
