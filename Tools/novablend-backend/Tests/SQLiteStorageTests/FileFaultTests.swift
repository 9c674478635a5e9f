import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Glibc
import Testing

@testable import SQLiteStorage

@Suite("If the file of an open database", .timeLimit(.minutes(10)))
struct FileFaultTests {
    private let clock = ManualClock()

    private func open(_ path: String) throws -> SQLiteBookingStore {
        try SQLiteBookingStore(path: path, clock: clock, newSalons: [Samples.salon()])
    }

    private func book(
        _ store: SQLiteBookingStore,
        _ hour: Int
    ) async throws(Problem) -> StoredAppointment {
        try await store.book(Samples.booking(hours: Int64(hour)), as: nil, minutes: 30)
    }

    /// The kind of the failure of a booking; nil if it succeeds.
    private func failureOfBooking(
        _ store: SQLiteBookingStore,
        _ hour: Int
    ) async -> StorageFailure.Kind? {
        do {
            _ = try await book(store, hour)
            return nil
        } catch {
            return error.failure?.kind
        }
    }

    /// Waits until reads fail, and returns the kind of the failure.
    private func failureOfReads(_ store: SQLiteBookingStore) async throws -> StorageFailure.Kind? {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            do {
                _ = try await store.salons(after: nil, limit: 1)
            } catch {
                if let failure = error.failure { return failure.kind }
            }
            await Task.yield()
        }
        return nil
    }

    @Test("is moved, nothing is written or read until it is back", arguments: ["", "-wal"])
    func moved(suffix: String) async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        let booked = try await book(store, 0)
        let path = database.path + suffix
        #expect(rename(path, path + ".away") == 0)
        #expect(await failureOfBooking(store, 1) == .fileReplaced)
        #expect(try await failureOfReads(store) == .fileReplaced)
        #expect(rename(path + ".away", path) == 0)
        #expect(try await store.appointments(after: nil, limit: 9) == [booked])
        #expect(await failureOfBooking(store, 1) == nil)
    }

    @Test("is replaced by a different database, neither of them is changed")
    func replaced() async throws {
        let database = try TemporaryDatabase()
        let other = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        _ = try await book(store, 0)
        try open(other.path).close()
        #expect(rename(other.path, database.path) == 0)
        #expect(await failureOfBooking(store, 1) == .fileReplaced)
        #expect(try await failureOfReads(store) == .fileReplaced)
        let copy = database.directory + "/copy"
        #expect(link(database.path, copy) == 0)
    }

    @Test("is not a database, opening it fails and does not change it")
    func notADatabase() throws {
        let database = try TemporaryDatabase()
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: 4_096)
        let file = creat(database.path, 0o600)
        #expect(write(file, text, text.count) == text.count)
        close(file)
        let failure = #expect(throws: StorageFailure.self) { try open(database.path) }
        #expect(failure?.kind == .corrupted)
        var status = stat()
        #expect(stat(database.path, &status) == 0 && status.st_size == 4_096)
    }

    @Test("is damaged, the calls that need the damaged part fail")
    func damaged() async throws {
        let database = try TemporaryDatabase()
        let first = try open(database.path)
        for hour in 0..<100 { _ = try await book(first, hour) }
        first.close()
        let root = try #require(
            try database.run("SELECT rootpage FROM sqlite_schema WHERE name = 'appointments'").first
        )
        let page = try #require(Int(root))
        let noise = [UInt8](repeating: 0xA5, count: 4_096)
        let file = Glibc.open(database.path, O_WRONLY)
        #expect(pwrite(file, noise, noise.count, (page - 1) * 4_096) == 4_096)
        close(file)
        let store = try open(database.path)
        defer { store.close() }
        let error = await #expect(throws: Problem.self) {
            try await store.appointments(after: nil, limit: 9)
        }
        guard let failure = error?.failure else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.kind == .corrupted)
        #expect(await failureOfBooking(store, 200) == .corrupted)
        #expect(try await store.salon(Samples.salonID())?.version == 1)
    }
}
