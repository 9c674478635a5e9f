import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import NovaBlendSystemSQLite
import Synchronization
import SystemSupport
import Testing

@testable import SQLiteStorage

@Suite("A batch of changes", .timeLimit(.minutes(10)))
struct WriteBatchTests {
    private typealias Outcome = Result<StoredAppointment, Problem>

    private let clock = ManualClock()

    /// Runs operations in one batch. Returns their results in order.
    private func run(
        _ path: String,
        _ operations: [@Sendable (WriteTransaction) throws -> StoredAppointment]
    ) async throws -> [Outcome] {
        let store = try SQLiteBookingStore(
            path: path,
            clock: clock,
            newSalons: [Samples.salon()]
        )
        defer { store.close() }
        return await gather(operations, in: store)
    }

    /// Runs operations that wait for the writer at the same time. Returns their results in order.
    private func gather(
        _ operations: [@Sendable (WriteTransaction) throws -> StoredAppointment],
        in store: SQLiteBookingStore
    ) async -> [Outcome] {
        // While an operation of an earlier batch runs, the others gather in the queue.
        let isRunning = Mutex(false)
        let mayEnd = Semaphore()
        let first = { @Sendable (_: WriteTransaction) throws -> StoredAppointment in
            isRunning.withLock { $0 = true }
            mayEnd.wait()
            throw StorageFailure(.other, "nothing to do")
        }
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, operation) in ([first] + operations).enumerated() {
                group.addTask {
                    do throws(Problem) {
                        return (index, .success(try await store.writer.perform(operation)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
                while !isRunning.withLock(\.self) || store.writer.waitingCount <= index {
                    await Task.yield()
                }
            }
            mayEnd.signal()
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
        #expect(throws: Problem.slotUnavailable) { try results[1].get() }
        #expect(throws: Problem.self) { try results[2].get() }
        let ids = try [results[0].get().id, results[3].get().id].sorted()
        #expect(try database.run("SELECT id FROM appointments ORDER BY id") == ids)
    }

    @Test("gives the last place within a limit to one of several bookings of a customer")
    func limits() async throws {
        let limit = AppointmentLimit(.active, 2, isTotal: false)
        let operations = (0..<4).map { hour in
            { @Sendable (transaction: WriteTransaction) -> StoredAppointment in
                let booking = Samples.booking(hours: Int64(hour))
                return try transaction.book(booking, as: nil, by: .local) { salon in
                    var plan = try BookingPlan(minutes: 30, at: salon)
                    plan.limits = [limit]
                    return plan
                }
            }
        }
        let database = try TemporaryDatabase()
        let results = try await run(database.path, operations)
        #expect(results.map { (try? $0.get()) != nil } == [true, true, false, false])
        for case .failure(let error) in results {
            #expect(error == .tooManyAppointments(limit))
        }
        #expect(try database.run("SELECT count(*) FROM appointments") == ["2"])
    }

    /// Books as many rows as stated, one booking after another. Returns the numbers of rows in each
    /// transaction.
    private func transactions(_ bookings: [(seats: Int, grains: Int)]) async throws -> [[Int]] {
        let database = try TemporaryDatabase()
        var salon = Samples.salon()
        salon.seats = 100
        let store = try SQLiteBookingStore(
            path: database.path,
            clock: clock,
            newSalons: [salon]
        )
        defer { store.close() }
        let transactions = Mutex<[(start: Int, rows: [Int])]>([])
        let operations = bookings.enumerated().map { index, size in
            { @Sendable (transaction: WriteTransaction) -> StoredAppointment in
                let alone = transaction.database.totalChanges
                var booking = Samples.booking(hours: Int64(index) * 3)
                booking.options.seats = size.seats
                let stored = try transaction.book(booking, as: nil, by: .local) { salon in
                    try BookingPlan(minutes: size.grains * 5, booking.options, at: salon)
                }
                transactions.withLock { transactions in
                    let start = transaction.batchStart ?? alone
                    if transactions.last?.start != start { transactions.append((start, [])) }
                    transactions[transactions.count - 1].rows.append(stored.rowCount)
                }
                return stored
            }
        }
        let results = await gather(operations, in: store)
        #expect(results.compactMap { try? $0.get() }.count == operations.count)
        let rows = bookings.reduce(0) { $0 + $1.seats * $1.grains }
        #expect(try database.run("SELECT count(*) FROM occupancy") == ["\(rows)"])
        return transactions.withLock { $0.map(\.rows) }
    }

    @Test("takes at most 2,000 grains in a transaction, and the rest in the next ones")
    func manyRows() async throws {
        // Besides its grains, each booking writes some other rows.
        let found = try await transactions(Array(repeating: (8, 25), count: 20))
        #expect(found.map(\.count) == [9, 9, 2])
    }

    @Test("does not wait for operations that take more than 200 grains")
    func largeOperations() async throws {
        let found = try await transactions(
            [(80, 25), (80, 25), (1, 1), (8, 25), (67, 3), (80, 25), (1, 2)]
        )
        #expect(found == [[1, 200, 2], [2_000], [2_000], [201], [2_000]])
    }

    @Test("does not wait for operations that choose one of more than 200 staff members")
    func manyStaffMembers() async throws {
        for (count, isAlone) in [(200, false), (201, true)] {
            var salon = Samples.salon()
            salon.staff = (0..<count).map { StaffMember(id: "\($0)", name: "n") }
            let store = try SQLiteBookingStore(path: ":memory:", clock: clock, newSalons: [salon])
            defer { store.close() }
            let found = Mutex<[Bool]>([])
            let book = { @Sendable (transaction: WriteTransaction) throws -> StoredAppointment in
                let booked = try Self.book(1)(transaction)
                found.withLock { $0.append(transaction.batchStart == nil) }
                return booked
            }
            _ = await gather([book, book], in: store)
            #expect(found.withLock(\.self) == [isAlone, isAlone])
        }
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
        let error = #expect(throws: Problem.self) { try results[1].get() }
        #expect(error?.failure?.kind == .full)
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
            let error = #expect(throws: Problem.self) { try result.get() }
            #expect(error?.failure != nil)
        }
        #expect(try database.run("SELECT id FROM appointments") == [])
    }
}
