import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import NovaBlendSystemSQLite
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
