import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Foundation
import Synchronization
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
        var limits = Checkpointer.Limits()
        limits.readerTimeout = .milliseconds(100)
        return try SQLiteBookingStore(
            path: path,
            clock: clock,
            newSalons: [Samples.salon()],
            logLimits: limits
        )
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
        let error = await #expect(throws: Problem.self) {
            try await store.eraseCustomer(Self.caller, cancelsAppointments: true)
        }
        guard let failure = error?.failure else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.kind == .locked && failure.description.contains("repeat the command"))
        #expect(try await store.customerData(of: Self.caller).isEmpty)
        reader.close()
        let rest = try await store.eraseCustomer(Self.caller, cancelsAppointments: true)
        #expect(try rest.isEmpty && traces(in: database.path) == [])
    }

    @Test("is gone from a file that was written without secure deletion, also from free pages")
    func earlierFile() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        try await fill(store)
        let other = try Database(path: database.path, access: .write)
        defer { other.close() }
        try other.execute("PRAGMA secure_delete=OFF")
        try other.execute("CREATE TABLE old (id INTEGER PRIMARY KEY, text TEXT) STRICT")
        for number in 0..<400 {
            let text = "\(Self.traces.joined(separator: " ")) of \(number)"
            try other.execute("INSERT INTO old (text) VALUES ('\(text)')")
        }
        // The first deletion leaves free space in pages, and the second one free pages.
        try other.execute("DELETE FROM old WHERE id % 3 = 0")
        try other.execute("CREATE TABLE kept AS SELECT id FROM old WHERE id % 10 = 0")
        try other.execute("DELETE FROM old WHERE id > 100")
        try other.execute("UPDATE old SET text = ''")
        #expect(try other.execute("PRAGMA freelist_count") ?? 0 > 1)
        try await store.eraseCustomer(Self.caller, cancelsAppointments: true)
        #expect(try traces(in: database.path) == [])
        #expect(try database.run("PRAGMA integrity_check") == ["ok"])
        #expect(try database.run("SELECT count(*) FROM old") == ["67"])
    }

    @Test("is gone while a different process books, and nothing else is changed")
    func concurrentBookings() async throws {
        let database = try TemporaryDatabase()
        let server = try open(database.path)
        defer { server.close() }
        try await fill(server)
        let command = try open(database.path)
        defer { command.close() }
        let booked = try await withThrowingTaskGroup(of: [StoredAppointment].self) { group in
            let isErased = Atomic(false)
            group.addTask {
                var booked: [StoredAppointment] = []
                repeat {
                    let hour = Int64(2_000 + booked.count)
                    let booking = Samples.booking(hours: hour, phone: "+49 31 \(1_000_000 + hour)")
                    booked.append(try await server.book(booking, as: nil, minutes: 30))
                } while !isErased.load(ordering: .relaxed)
                return booked
            }
            defer { isErased.store(true, ordering: .relaxed) }
            try await command.eraseCustomer(Self.caller, cancelsAppointments: true)
            isErased.store(true, ordering: .relaxed)
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(try traces(in: database.path) == [])
        #expect(try database.run("PRAGMA integrity_check") == ["ok"])
        let all = try await server.appointments(after: nil, limit: 100_000)
        #expect(all.count == 500 + booked.count && Set(all).isSuperset(of: booked))
    }

    @Test("of an unknown number is not looked for with a lock, and the file is not written")
    func unknownNumber() async throws {
        let database = try TemporaryDatabase()
        let server = try open(database.path)
        defer { server.close() }
        try await fill(server)
        try await server.emptyLog()
        let command = try open(database.path)
        defer { command.close() }
        let before = try Data(contentsOf: URL(filePath: database.path))
        let other = try Database(path: database.path, access: .write)
        defer { other.close() }
        try other.beginImmediate()
        // The number of a customer contains the second one.
        for caller in ["4930999999", "30100"] {
            #expect(try await command.eraseCustomer(caller, cancelsAppointments: true).isEmpty)
        }
        other.rollback()
        #expect(try Data(contentsOf: URL(filePath: database.path)) == before)
        #expect(server.file.logBytes == 0)
    }

    @Test("is removed by a repetition if the first attempt ended before it had emptied the log")
    func repetition() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        try await fill(store)
        let reader = try Database(path: database.path, access: .read)
        try reader.execute("BEGIN")
        try reader.execute("SELECT count(*) FROM appointments")
        await #expect(throws: Problem.self) {
            try await store.eraseCustomer(Self.caller, cancelsAppointments: true)
        }
        reader.close()
        #expect(try traces(in: database.path) != [])
        #expect(try await store.eraseCustomer(Self.caller, cancelsAppointments: true).isEmpty)
        #expect(try traces(in: database.path) == [])
    }

    @Test("is recognized by its beginning, its end, and parts of a long text")
    func patterns() {
        let note = "She prefers the chair at the window, and is allergic to ammonia."
        let patterns = BytePatterns([Self.phone, note, "Ada", ""])
        func occur(_ text: String) -> Bool {
            Array(text.utf8).withUnsafeBytes { patterns.occur(in: $0) }
        }
        #expect(occur("x\(Self.phone)"))
        #expect(occur(".+49 555 76"))
        #expect(occur("55 7654321"))
        #expect(!occur("+49 556 7654329") && !occur("") && !occur("+") && !occur("Ada"))
        #expect(occur("chair at the window, an") && occur(String(note.suffix(23))))
        #expect(!occur("She likes that chair."))
        let number = BytePatterns(number: "301234567")
        for (text, isFound) in [
            ("x301234567", true), ("301234567", true), ("49301234567", false),
            ("3012345670", false),
        ] {
            #expect(Array(text.utf8).withUnsafeBytes { number.occur(in: $0) } == isFound, "\(text)")
        }
    }
}
