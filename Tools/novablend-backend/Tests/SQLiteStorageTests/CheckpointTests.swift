import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Foundation
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

    /// How often the log has started again from its beginning: the checkpoint sequence number in its
    /// header (sqlite.org/fileformat2.html, "The WAL File").
    private func restarts(ofLog path: String) throws -> Int {
        let header = try FileHandle(forReadingFrom: URL(filePath: path + "-wal"))
        defer { try? header.close() }
        try header.seek(toOffset: 12)
        return try header.read(upToCount: 4)?.reduce(0) { $0 << 8 | Int($1) } ?? 0
    }

    @Test("starts again from its beginning, so that it does not grow while changes continue")
    func bounded() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        // A copy begins after 20 pages; a booking adds about four. How many more are added until the copy
        // has ended depends on the disk.
        var count = 0
        while try restarts(ofLog: database.path) < 3, count < 4_000 {
            let booking = Samples.booking(hours: Int64(count))
            _ = try await store.book(booking, as: nil, minutes: 30)
            count += 1
        }
        #expect(try restarts(ofLog: database.path) == 3)
        #expect(try await store.appointments(after: nil, limit: 5_000).count == count)
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
