import BookingStorage
import Contract
import Domain
import Foundation
import SQLiteStorage
import SystemTestSupport
import Testing

@Suite("prune", .timeLimit(.minutes(10)))
struct PruneTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.path + "/db.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    private func run(_ words: String...) async throws -> CommandOutput {
        try await CommandOutput(["prune"] + words + ["--database", database])
    }

    /// Stores two appointments of half an hour: at 10:00 and 11:00 on January 1, 2024.
    private func book() async throws {
        let clock = FixedClock(now: try #require(ISO8601.parse("2023-12-31T00:00:00Z")?.instant))
        let midnight = TimeOfDay(minuteOfDay: 0)
        let salon = Salon(
            id: SalonID(high: 1, low: 1),
            name: "n",
            location: "l",
            hours: OpeningHours(opens: midnight, closes: midnight)
        )
        let store = try SQLiteBookingStore(path: database, clock: clock, newSalons: [salon])
        defer { store.close() }
        for hour in [10, 11] {
            let time = try #require(ISO8601.parse("2024-01-01T\(hour):00:00Z"))
            let booking = BookingRequest(salonID: salon.id, time: time, phone: "12345")
            _ = try await store.book(booking, as: nil, by: .local) { salon in
                try BookingPlan(for: booking.options, at: salon, on: .offset(minutes: 0))
            }
        }
    }

    private func lines(_ verb: String, _ appointments: Int) -> String {
        """
        \(verb) \(appointments) appointments
        \(verb) 0 holds
        \(verb) 0 idempotency keys
        \(verb) 0 marks of deleted appointments
        \(verb) 0 audit entries

        """
    }

    @Test("deletes what ended before the date, and a dry run only counts it")
    func dates() async throws {
        try await book()
        for (date, count) in [
            ("2024-01-01", 0), ("2024-01-01T10:30:00Z", 0), ("2024-01-01T10:30:01Z", 1),
            ("2024-01-01T12:30:00+0100", 1), ("2024-01-02", 2),
        ] {
            let preview = try await run("--before", date, "--dry-run")
            #expect(preview.code == 0 && preview.output == lines("would delete", count), "\(date)")
        }
        #expect(try await run("--before", "2024-01-01T11:00:00Z").output == lines("deleted", 1))
        #expect(try await run("--before", "2024-01-02").output == lines("deleted", 1))
        #expect(try await run("--before", "2024-01-02").output == lines("deleted", 0))
    }

    @Test("rejects a missing, invalid, or future date, and a database that does not exist")
    func usage() async throws {
        for (words, message) in [
            ([], "prune requires --before DATE"),
            (
                ["--before", "yesterday"],
                "--before must be like 2027-01-31 or 2027-01-31T18:00:00Z"
            ),
            (["--before", "9999-01-01"], "--before must be in the past"),
        ] {
            let outcome = try await CommandOutput(["prune"] + words + ["--database", database])
            #expect(outcome.code == 64, "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("novablend-backend: \(message)\n"))
        }
        for words in [["--before", "2024-01-01"], ["--before", "2024-01-01", "--dry-run"]] {
            let outcome = try await CommandOutput(["prune"] + words + ["--database", database])
            #expect(outcome.code == 66)
            #expect(!FileManager.default.fileExists(atPath: database))
        }
    }
}

/// A clock that stands still.
private struct FixedClock: WallClock {
    let now: Timestamp
}
