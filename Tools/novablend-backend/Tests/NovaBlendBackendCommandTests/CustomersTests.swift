import BookingStorage
import Contract
import Domain
import Foundation
import SQLiteStorage
import SystemTestSupport
import Testing

@testable import BackendKit

@Suite("customers export and customers erase", .timeLimit(.minutes(10)))
struct CustomersTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.path + "/db.sqlite" }

    init() async throws {
        directory = try TemporaryDirectory()
        let store = try SQLiteBookingStore(
            path: database,
            clock: SystemClock(),
            newSalons: SampleSalons.all
        )
        defer { store.close() }
        let phones = [2020: "+49 30 1234567", 2090: "0049 30 1234567", 2091: "030 1234567"]
        for (year, phone) in phones {
            let time = try #require(ISO8601.parse("\(year)-01-02T10:00:00Z"))
            let salon = SampleSalons.all[0]
            let booking = BookingRequest(
                salonID: salon.id,
                time: time,
                phone: phone,
                email: "ada@example.com"
            )
            _ = try await store.book(booking, as: nil, by: .local) { salon in
                try BookingPlan(for: booking.options, at: salon, on: .offset(minutes: 0))
            }
        }
    }

    private func run(_ words: String...) async throws -> CommandOutput {
        try await CommandOutput(["customers"] + words + ["--database", database])
    }

    private func exported(_ phone: String = "+49301234567") async throws -> NSDictionary {
        let outcome = try await run("export", phone)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? NSDictionary)
    }

    @Test("An export has the appointments with all forms of the number, and no others")
    func export() async throws {
        let data = try await exported()
        #expect(data["phone"] as? String == "49301234567")
        let appointments = try #require(data["appointments"] as? [NSDictionary])
        let phones = appointments.compactMap { $0["phone"] as? String }
        #expect(Set(phones) == ["+49 30 1234567", "0049 30 1234567"])
        #expect(appointments.allSatisfy { $0["email"] as? String == "ada@example.com" })
        for key in ["deletedAppointments", "holds", "requests", "tokens"] {
            #expect((data[key] as? [Any])?.isEmpty == true, "\(key)")
        }
        #expect((try await exported("12345")["appointments"] as? [Any])?.isEmpty == true)
    }

    @Test("An export to a file is readable only for this user, and replaces a file with --force")
    func file() async throws {
        let path = directory.path + "/ada.json"
        #expect(try await run("export", "+49301234567", "--output", path).code == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("ada@example.com"))
        #expect(try await run("export", "12345", "--output", path).code == 73)
        #expect(try await run("export", "12345", "--output", path, "--force").code == 0)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("ada@example.com"))
    }

    @Test("A dry run of erase shows what it would delete and similar numbers, and deletes nothing")
    func dryRun() async throws {
        let outcome = try await run("erase", "+49 30 1234567", "--dry-run")
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.contains("2020-01-02T10:00:00+0000  booked  +49 30 1234567"))
        #expect(outcome.output.contains("2 appointments, 0 deleted appointments, 0 holds"))
        #expect(
            outcome.output.hasSuffix(
                """
                similar numbers, whose data is not affected:
                PHONE      APPOINTMENTS
                301234567  1

                """
            )
        )
        #expect((try await exported()["appointments"] as? [Any])?.count == 2)
    }

    @Test("Erase requires --yes without a terminal, and --cancel for what has not ended")
    func conditions() async throws {
        let unconfirmed = try await run("erase", "+49301234567", "--cancel")
        #expect(unconfirmed.code == 64 && unconfirmed.errors.contains("--yes is required"))
        let future = try await run("erase", "+49301234567", "--yes")
        #expect(future.code == 4)
        #expect(
            future.errors.hasPrefix(
                "novablend-backend: 1 appointment has not ended; cancel it, or use --cancel\n"
            )
        )
        #expect((try await exported()["appointments"] as? [Any])?.count == 2)
        let erased = try await run("erase", "+49301234567", "--yes", "--cancel")
        #expect(erased.code == 0)
        let searched = "and the file and its log were searched: no copy remains\n"
        #expect(erased.errors == "the data was erased, \(searched)")
        #expect((try await exported()["appointments"] as? [Any])?.isEmpty == true)
        #expect((try await exported("0301234567")["appointments"] as? [Any])?.count == 1)
        // Nothing is left to confirm.
        let repeated = try await run("erase", "+49301234567")
        #expect(repeated.code == 0)
        #expect(repeated.errors == "nothing about this number was stored, \(searched)")
    }

    @Test("A number of zeros, which can no longer be booked, is exported and erased")
    func zeros() async throws {
        let store = try SQLiteBookingStore(path: database, clock: SystemClock())
        defer { store.close() }
        let time = try #require(ISO8601.parse("2020-02-03T10:00:00Z"))
        let salon = SampleSalons.all[0]
        let booking = BookingRequest(salonID: salon.id, time: time, phone: "0000000")
        let stored = try await store.book(booking, as: nil, by: .local) { salon in
            try BookingPlan(for: booking.options, at: salon, on: .offset(minutes: 0))
        }
        let data = try await exported("+00000")
        let appointments = try #require(data["appointments"] as? [NSDictionary])
        #expect(appointments.map { $0["id"] as? String } == [stored.id])
        #expect(try await run("erase", "00000", "--yes").code == 0)
        #expect((try await exported("00000")["appointments"] as? [Any])?.isEmpty == true)
        #expect((try await exported()["appointments"] as? [Any])?.count == 2)
    }

    @Test("An invalid number is rejected, and so is a database that does not exist")
    func usage() async throws {
        for words in [["export", "1234"], ["erase", "Ada"], ["erase", "0000"]] {
            let outcome = try await CommandOutput(["customers"] + words + ["--database", database])
            #expect(outcome.code == 64 && outcome.errors.contains("PHONE must be a phone number"))
        }
        for words in [["export"], ["erase", "--yes"], ["erase", "--dry-run"]] {
            let path = directory.path + "/none"
            let outcome = try await CommandOutput(
                ["customers"] + words + ["12345", "--database", path]
            )
            #expect(outcome.code == 66 && !FileManager.default.fileExists(atPath: path))
        }
    }
}
