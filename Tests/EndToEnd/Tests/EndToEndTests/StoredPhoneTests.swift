import Testing

@Suite(
    "Servers that store phone numbers in a different format",
    .throttled,
    .timeLimit(.minutes(10))
)
struct StoredPhoneTests {
    @Test(
        "a booking whose response is lost is found by the digits of its phone number",
        arguments: [
            ("+49 30 1234567", "49301234567"), ("+49 30 1234567", "030/1234567"),
            ("0301234567", "30 1234567"), ("123456", "0049 30 123456"),
        ]
    )
    func found(sent: String, stored: String) async throws {
        let fixture = try BookingFixture(BookingServer.losesResponses)
        fixture.server.update { $0.storedPhone = { _ in stored } }
        let booking = fixture.booking(phone: sent)
        let booked = try await fixture.client().result("appointments/book", booking.params)
        #expect(booked.text.contains(#""id":"a1""#))
    }

    @Test(
        "if the list masks or omits phone numbers, a booking without a response stays in doubt",
        arguments: ["***567", nil]
    )
    func inconclusive(stored: String?) async throws {
        let fixture = try BookingFixture(BookingServer.losesResponses)
        fixture.server.update { $0.storedPhone = { _ in stored } }
        let later = try await fixture.observer()
        let key = try await fixture.client().callInDoubt(
            "appointments/book",
            fixture.booking().params
        )
        #expect(try await later.resolutions() == [key: "inDoubt"])
        #expect(try await later.openKeys() == [key])
    }
}
