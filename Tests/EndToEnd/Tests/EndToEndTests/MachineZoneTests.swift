import JSON
import Testing

/// Local times at a salon without a time zone are read on this machine's clock.
@Suite("Typed times at a salon without a time zone", .throttled, .timeLimit(.minutes(10)))
struct MachineZoneTests {
    private static let berlin = ["Europe/Berlin", ":/usr/share/zoneinfo/Europe/Berlin"]
    private static let rule = "CET-1CEST,M3.5.0,M10.5.0/3"

    private func book(
        _ time: String,
        _ fixture: BookingFixture,
        zone: String
    ) async throws -> CommandLineClient.Outcome {
        let cli = try CommandLineClient(["--base-url", fixture.server.url])
        let words = ["book", Sample.salon, time, "--phone", "+49 30 1234567"]
        return try await cli.run(words, environment: ["TZ": zone])
    }

    @Test(
        "a time that the clock skips or shows twice is not booked",
        arguments: [
            ("2098-03-30 02:30", "does not exist", "2098-03-30T03:30:00+02:00"),
            ("2098-10-26 02:30", "occurs twice", "2098-10-26T02:30:00+01:00"),
        ]
    )
    func notUnique(time: String, reason: String, candidate: String) async throws {
        let fixture = try BookingFixture()
        for zone in Self.berlin + [Self.rule] {
            let outcome = try await book(time, fixture, zone: zone)
            #expect(outcome.code == 64 && outcome.errors.contains("TIME \(reason)"), "\(outcome)")
            #expect(outcome.errors.contains(candidate), "\(outcome)")
        }
        #expect(fixture.server.requests("POST").isEmpty)
    }

    @Test(
        "any other time is booked with the machine's offset at that time",
        arguments: [
            ("2098-03-30 01:59", "+0100"), ("2098-03-30 03:00", "+0200"),
            ("2098-10-26 01:59", "+0200"), ("2098-10-26 03:00", "+0100"),
        ]
    )
    func unique(time: String, offset: String) async throws {
        for zone in Self.berlin + [Self.rule] {
            let fixture = try BookingFixture()
            let outcome = try await book(time, fixture, zone: zone)
            #expect(outcome.code == 0, "\(outcome)")
            let body = try #require(fixture.server.requests("POST").first?.body)
            #expect(body.contains(time.replacing(" ", with: "T") + ":00" + offset), "\(body)")
        }
    }
}
