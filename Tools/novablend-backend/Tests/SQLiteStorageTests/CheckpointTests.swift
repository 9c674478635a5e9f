import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Glibc
import Testing

@testable import SQLiteStorage

@Suite("The write-ahead log", .timeLimit(.minutes(10)))
struct CheckpointTests {
    private func open(_ path: String) throws -> SQLiteBookingStore {
        try SQLiteBookingStore(
            path: path,
            clock: ManualClock(),
            newSalons: [Samples.salon()],
            limits: Writer.Limits(),
            logLimits: Checkpointer.Limits(interval: 20, maximum: 50)
        )
    }

    private func pages(ofLog path: String) -> Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int(status.st_size) / (4_096 + 24) : 0
    }

    @Test("starts again from its beginning, so that it does not grow while changes continue")
    func bounded() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        for hour in 0..<400 {
            let booking = Samples.booking(hours: Int64(hour))
            _ = try await store.book(booking, as: nil, minutes: 30)
        }
        // The bookings changed more than 1,600 pages. At the latest at 2 * 50, the writer copies
        // them, and the last change before that adds fewer than 50.
        #expect(pages(ofLog: database.path) < 150)
        #expect(try await store.appointments(after: nil, limit: 1_000).count == 400)
    }

    @Test("can be copied only up to the oldest state that is read, and changes continue")
    func longRead() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        let reader = try Database(path: database.path, access: .read)
        try reader.execute("BEGIN")
        let before = try reader.execute("SELECT count(*) FROM appointments")
        for hour in 0..<200 {
            let booking = Samples.booking(hours: Int64(hour))
            _ = try await store.book(booking, as: nil, minutes: 30)
        }
        #expect(try reader.execute("SELECT count(*) FROM appointments") == before)
        try reader.execute("COMMIT")
        #expect(try reader.execute("SELECT count(*) FROM appointments") == 200)
    }
}
