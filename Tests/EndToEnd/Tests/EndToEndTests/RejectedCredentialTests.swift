import Testing

@Suite("Bookings with rejected credentials", .throttled, .timeLimit(.minutes(10)))
struct RejectedCredentialTests {
    private static let statuses = [(401, 1_005, "notAuthenticated"), (403, 1_006, "notAllowed")]

    @Test(
        "a booking whose first attempt is rejected fails, and leaves no open intent",
        arguments: statuses
    )
    func first(status: Int, code: Int, name: String) async throws {
        let fixture = try BookingFixture(BookingServer.responding(with: status, processing: false))
        let client = try fixture.client()
        let failure = try await client.failure("appointments/book", fixture.booking().params)
        #expect(failure.code == code && failure.name == name, "\(failure)")
        #expect(try await client.openKeys().isEmpty)
    }

    @Test(
        "a booking stays in doubt if its first response is lost and its second attempt is rejected",
        arguments: statuses.map(\.0),
        [false, true]
    )
    func second(status: Int, isListRejected: Bool) async throws {
        let fixture = try BookingFixture { request, state in
            let attempts = state.requests.count { $0.method == "POST" }
            if request.method == "POST" { return attempts == 1 ? .hangUp : .reply(status) }
            return isListRejected && attempts > 0 ? .reply(status) : nil
        }
        fixture.server.update { $0.statesKeys = true }
        let client = try fixture.client()
        let key = try await client.callInDoubt("appointments/book", fixture.booking().params)
        #expect(key == BookingFixture.key)
        #expect(try await client.openKeys() == [key])
    }
}
