import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import NovaBlendSystemSQLite
import Synchronization
import Testing

@testable import SQLiteStorage

@Suite("A batch of changes", .timeLimit(.minutes(10)))
struct WriteBatchTests {
    private typealias Outcome = Result<StoredAppointment, StoreError>

    private let clock = ManualClock()

    /// Runs operations in one batch. Returns their results in order.
    private func run(
        _ path: String,
        _ operations: [@Sendable (WriteTransaction) throws -> StoredAppointment]
    ) async throws -> [Outcome] {
        let store = try SQLiteBookingStore(
            path: path,
            clock: clock,
            newSalons: [Samples.salon()],
            limits: Writer.Limits(lockTimeout: .seconds(60))
        )
        defer { store.close() }
        return try await gather(operations, in: store, path)
    }

    /// Runs operations that wait for the writer at the same time. Returns their results in order.
    private func gather(
        _ operations: [@Sendable (WriteTransaction) throws -> StoredAppointment],
        in store: SQLiteBookingStore,
        _ path: String
    ) async throws -> [Outcome] {
        // While this holds the lock, an operation of an earlier batch waits for it, and the others
        // gather in the queue.
        let other = try Database(path: path, access: .write)
        try other.beginImmediate()
        let operations = [{ _ in throw StorageFailure(.other, "nothing to do") }] + operations
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask {
                    do throws(StoreError) {
                        return (index, .success(try await store.writer.perform(operation)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
                while store.writer.waitingCount <= index { await Task.yield() }
            }
            other.rollback()
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                .sorted { $0.key < $1.key }.dropFirst().map(\.value)
        }
    }

    private static func book(
        _ hour: Int
    ) -> @Sendable (WriteTransaction) throws -> StoredAppointment {
        { transaction in
            let booking = Samples.booking(hours: Int64(hour))
            return try transaction.book(booking, as: nil, by: .local) { salon in
                try BookingPlan(minutes: 30, at: salon)
            }
        }
    }

    @Test("stores what succeeds, whatever else fails")
    func savepoints() async throws {
        let database = try TemporaryDatabase()
        let results = try await run(
            database.path,
            [
                Self.book(0), Self.book(0),
                { transaction in
                    _ = try Self.book(1)(transaction)
                    throw StorageFailure(.other, "after a change")
                },
                Self.book(1),
            ]
        )
        #expect(try results[0].get().version == 1)
        guard case .failure(.slotUnavailable) = results[1] else {
            Issue.record("\(results[1])")
            return
        }
        #expect(throws: StoreError.self) { try results[2].get() }
        let ids = try [results[0].get().id, results[3].get().id].sorted()
        #expect(try database.run("SELECT id FROM appointments ORDER BY id") == ids)
    }

    @Test("takes at most 2,000 grains in a transaction, and the rest in the next ones")
    func grains() async throws {
        let database = try TemporaryDatabase()
        var salon = Samples.salon()
        salon.seats = 100
        let transactions = Mutex<[Int]>([])
        let store = try SQLiteBookingStore(
            path: database.path,
            clock: clock,
            newSalons: [salon],
            limits: Writer.Limits(lockTimeout: .seconds(60))
        )
        defer { store.close() }
        // An operation that was postponed is recorded when it is the first one of its transaction.
        let operations = [2_000, 1_000, 975, 25, 2_000, 1, 2_000].enumerated().map { index, rows in
            { @Sendable (transaction: WriteTransaction) -> StoredAppointment in
                if transaction.batchStart == nil {
                    transactions.withLock { $0.append(index) }
                }
                var booking = Samples.booking(hours: Int64(index) * 3)
                booking.options.seats = max(rows / 25, 1)
                let minutes = min(rows, 25) * 5
                return try transaction.book(booking, as: nil, by: .local) { salon in
                    try BookingPlan(minutes: minutes, booking.options, at: salon)
                }
            }
        }
        let results = try await gather(operations, in: store, database.path)
        #expect(results.compactMap { try? $0.get() }.count == operations.count)
        // The one for which the others have waited may come before operation 0. Besides its grains,
        // each booking writes some other rows.
        #expect(transactions.withLock { $0.filter { $0 > 0 } } == [1, 3, 4, 5, 6])
        #expect(try database.run("SELECT count(*) FROM occupancy") == ["8001"])
    }

    @Test("succeeds one by one if SQLite has rolled back the whole transaction")
    func rolledBack() async throws {
        let database = try TemporaryDatabase()
        let results = try await run(
            database.path,
            [
                Self.book(0),
                { transaction in
                    // What SQLite does after some errors, such as a full disk.
                    try transaction.database.execute("ROLLBACK")
                    throw StorageFailure(.full, "full")
                },
                Self.book(1),
            ]
        )
        guard case .failure(.unavailable(let failure)) = results[1] else {
            Issue.record("\(results[1])")
            return
        }
        #expect(failure.kind == .full)
        let ids = try [results[0].get().id, results[2].get().id].sorted()
        #expect(try database.run("SELECT id FROM appointments ORDER BY id") == ids)
    }

    @Test("that cannot be committed confirms nothing, not even rejections")
    func commitFailure() async throws {
        let database = try TemporaryDatabase()
        let results = try await run(
            database.path,
            [
                Self.book(0), Self.book(0),
                { transaction in
                    let booked = try Self.book(1)(transaction)
                    // The next COMMIT fails.
                    sqlite3_commit_hook(transaction.database.handle, { _ in 1 }, nil)
                    return booked
                },
            ]
        )
        for result in results {
            guard case .failure(.unavailable) = result else {
                Issue.record("\(result)")
                return
            }
        }
        #expect(try database.run("SELECT id FROM appointments") == [])
    }
}
