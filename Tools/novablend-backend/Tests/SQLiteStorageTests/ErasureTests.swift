import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Foundation
import Testing

@testable import SQLiteStorage

@Suite("Erased data in a database file", .timeLimit(.minutes(10)))
struct ErasureTests {
    private static let phone = "+49 555 7654321"
    private static let caller = "495557654321"
    /// What the requests of the erased customer contain.
    private static let traces = [phone, caller, "erase.me@example.com", "a note about Ada"]

    private let clock = ManualClock(Timestamp(secondsSince1970: 1_729_418_699))

    private func open(_ path: String) throws -> SQLiteBookingStore {
        try SQLiteBookingStore(path: path, clock: clock, newSalons: [Samples.salon()])
    }

    /// Which of the traces the database and its log contain.
    private func traces(in path: String) throws -> [String] {
        let files = try ["", "-wal"].map { try Data(contentsOf: URL(filePath: path + $0)) }
        return Self.traces.filter { trace in
            files.contains { $0.range(of: Data(trace.utf8)) != nil }
        }
    }

    /// Books, moves, and cancels appointments of many customers, so that rows move between pages.
    private func fill(_ store: SQLiteBookingStore) async throws {
        for hour: Int64 in 0..<600 {
            var booking = Samples.booking(hours: 2 * hour, phone: "+49 30 \(1_000_000 + hour)")
            if hour % 6 == 0 {
                (booking.phone, booking.email) = (Self.phone, Self.traces[2])
                booking.note = Self.traces[3]
            }
            let request = KeyedRequest(
                key: IdempotencyKey("\(hour * 7_919 % 600)"),
                method: "POST",
                path: "/appointments",
                body: []
            )
            let booked = try await store.book(booking, as: request, minutes: 30)
            if hour % 3 == 0 {
                let key = IdempotencyKey("change \(hour)")
                let path = "/appointments/\(booked.id)"
                let request = KeyedRequest(key: key, method: "DELETE", path: path, body: [])
                _ = try await store.change(booked.id, as: request) { stored, _ in
                    stored.status = .cancelled
                    return nil
                }
            }
        }
        var held = Samples.booking(hours: 1, phone: Self.phone)
        for minutes: Int64 in [0, 30] {
            held.time.instant = held.time.instant.advanced(bySeconds: minutes * 60)
            _ = try await store.hold(held, seconds: 300) { salon in
                try BookingPlan(minutes: 30, at: salon)
            }
        }
    }

    @Test("is neither in the file nor in its log, also while a different process uses them")
    func files() async throws {
        let database = try TemporaryDatabase()
        let server = try open(database.path)
        defer { server.close() }
        try await fill(server)
        #expect(try traces(in: database.path) == Self.traces)
        let command = try open(database.path)
        defer { command.close() }
        let erased = try await command.eraseCustomer(Self.caller, cancelsAppointments: true)
        #expect(erased.appointments.count == 100 && erased.requests.count == 200)
        #expect(try traces(in: database.path) == [])
        #expect(try await server.appointments(after: nil, limit: 999).count == 500)
        // The server continues with the same file.
        try await server.book(Samples.booking(), as: nil, minutes: 30)
        #expect(try database.run("PRAGMA integrity_check") == ["ok"])
    }

    @Test("is reported if a reader prevents that its log is emptied, and gone after a repetition")
    func reader() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        try await fill(store)
        let reader = try Database(path: database.path, access: .read)
        try reader.execute("BEGIN")
        try reader.execute("SELECT count(*) FROM appointments")
        let error = await #expect(throws: StoreError.self) {
            try await store.eraseCustomer(Self.caller, cancelsAppointments: true)
        }
        guard case .unavailable(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.kind == .locked && failure.description.contains("repeat the command"))
        #expect(try await store.customerData(of: Self.caller).isEmpty)
        reader.close()
        let rest = try await store.eraseCustomer(Self.caller, cancelsAppointments: true)
        #expect(try rest.isEmpty && traces(in: database.path) == [])
    }
}
