import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Testing

@testable import SQLiteStorage

@Suite("While a different program has the database locked", .timeLimit(.minutes(10)))
struct LockTests {
    private let clock = ManualClock()

    private func open(
        _ path: String,
        _ set: (inout Writer.Limits) -> Void = { _ in }
    ) throws -> SQLiteBookingStore {
        var limits = Writer.Limits()
        set(&limits)
        return try SQLiteBookingStore(
            path: path,
            clock: clock,
            newSalons: [Samples.salon()],
            limits: limits
        )
    }

    private static func book(
        _ store: SQLiteBookingStore,
        _ hour: Int
    ) async -> Result<StoredAppointment, Problem> {
        do throws(Problem) {
            let booking = Samples.booking(hours: Int64(hour))
            return .success(try await store.book(booking, as: nil, minutes: 30))
        } catch {
            return .failure(error)
        }
    }

    private static func checkHealth(_ store: SQLiteBookingStore) async -> Result<Void, Problem> {
        do throws(Problem) {
            return .success(try await store.checkHealth())
        } catch {
            return .failure(error)
        }
    }

    private func kind<Value>(_ result: Result<Value, Problem>) -> StorageFailure.Kind? {
        if case .failure(let problem) = result { problem.failure?.kind } else { nil }
    }

    @Test("reads are answered, and changes fail after the timeout with a transient failure")
    func timeout() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path) { $0.lockTimeout = .milliseconds(50) }
        defer { store.close() }
        let other = try Database(path: database.path, access: .write)
        try other.beginImmediate()
        async let booked = Self.book(store, 0)
        #expect(try await store.salon(Samples.salonID()) != nil)
        #expect(try await store.appointments(after: nil, limit: 9).isEmpty)
        #expect(await kind(Self.checkHealth(store)) == .locked)
        #expect(await kind(booked) == .locked)
        #expect(StorageFailure(.locked, "").isTransient)
        other.rollback()
        #expect(await kind(Self.book(store, 0)) == nil)
        try await store.checkHealth()
    }

    @Test("changes wait, and succeed when the lock is released")
    func waits() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path) { $0.lockTimeout = .seconds(60) }
        defer { store.close() }
        let other = try Database(path: database.path, access: .write)
        try other.beginImmediate()
        try await withThrowingTaskGroup(of: Result<StoredAppointment, Problem>.self) { group in
            for hour in 0..<100 { group.addTask { await Self.book(store, hour) } }
            while store.writer.waitingCount < 100 { await Task.yield() }
            other.rollback()
            for try await result in group { #expect(throws: Never.self) { try result.get() } }
        }
        #expect(try await store.appointments(after: nil, limit: 1_000).count == 100)
    }

    @Test("at most the maximum number of changes wait")
    func overload() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path) {
            $0.lockTimeout = .seconds(60)
            $0.batch = 1
            $0.queue = 3
        }
        defer { store.close() }
        let other = try Database(path: database.path, access: .write)
        try other.beginImmediate()
        await withTaskGroup(of: Result<StoredAppointment, Problem>.self) { group in
            for hour in 0..<3 { group.addTask { await Self.book(store, hour) } }
            while store.writer.waitingCount < 3 { await Task.yield() }
            #expect(await kind(Self.book(store, 3)) == .overloaded)
            other.rollback()
            for await result in group { #expect(kind(result) == nil) }
        }
        #expect(await kind(Self.book(store, 3)) == nil)
    }
}
