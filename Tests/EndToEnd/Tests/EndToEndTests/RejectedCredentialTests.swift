import Testing

@Suite("Bookings whose caller the server rejects", .throttled, .timeLimit(.minutes(10)))
struct RejectedCredentialTests {
    private static let statuses = [(401, 1_005, "notAuthenticated"), (403, 1_006, "notAllowed")]

    @Test(
        "a first attempt that is rejected was not made, and leaves nothing open",
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
        "a second attempt that is rejected tells nothing of the first, whose answer was lost",
        arguments: statuses.map(\.0),
        [false, true]
    )
    func second(status: Int, isListRejected: Bool) async throws {
        let fixture = try BookingFixture { request, state in
            let attempts = state.requests.count { $0.method == "POST" }
            if request.method == "POST" { return attempts == 1 ? .hangUp : .reply(status) }
            return isListRejected && attempts > 0 ? .reply(status) : nil
        }
        let client = try fixture.client()
        let key = try await client.callInDoubt("appointments/book", fixture.booking().params)
        #expect(key == BookingFixture.key)
        #expect(try await client.openKeys() == [key])
    }
}
