import JSON
import Testing

@Suite("Seed 000's sample time, and generated keys", .throttled, .timeLimit(.minutes(10)))
struct SampleTimeTests {
    @Test("11:24:59 is sent and booked at a salon without slot_minutes")
    func sampleTime() async throws {
        let fixture = try BookingFixture()
        fixture.server.update { $0.hours = (9, 20) }
        let time = fixture.date(at: "11:24:59")
        let booked = try await fixture.client()
            .result("appointments/book", fixture.params(at: time))
        #expect(booked.text.contains(time))
        #expect(fixture.server.requests("POST").first?.body.contains(time) == true)
    }

    @Test("generated keys are UUIDs of version 4 and of the variant of RFC 9562")
    func keys() async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        for _ in 0..<8 {
            _ = try await client.result("appointments/book", fixture.booking(key: nil).params)
        }
        let keys = fixture.server.bookingKeys
        #expect(keys.count == 8)
        #expect(keys.allSatisfy { isUUID($0, version: 4) }, "\(keys)")
    }

    @Test(
        "the ids that the backend generates are UUIDs of version 7 and of the variant of RFC 9562"
    )
    func ids() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        for hour in 10..<18 {
            let booked = try await client.result(
                "appointments/book",
                Sample.booking(hour: hour)
            )
            let id = try booked.required("appointment").object().required("id").string()
            #expect(isUUID(id, version: 7), "\(id)")
        }
    }

    private func isUUID(_ text: String, version: Int) -> Bool {
        let form = /[0-9a-f]{8}-[0-9a-f]{4}-([0-9])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        return text.wholeMatch(of: form)?.1 == "\(version)"
    }
}
