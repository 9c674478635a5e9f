import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Foundation
import Testing

@testable import SQLiteStorage

@Suite("The write-ahead log", .timeLimit(.minutes(10)))
struct CheckpointTests {
    private func open(
        _ path: String,
        clock: any WallClock = ManualClock(),
        uptime: @escaping ClockMonitor.Uptime = { .now }
    ) throws -> SQLiteBookingStore {
        var limits = Checkpointer.Limits(interval: 20, maximum: 50)
        limits.readerTimeout = .milliseconds(100)
        return try SQLiteBookingStore(
            path: path,
            clock: clock,
            newSalons: [Samples.salon()],
            limits: Writer.Limits(),
            logLimits: limits,
            uptime: uptime
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

    @Test("starts again from its beginning while two processes write without a pause")
    func twoWriters() async throws {
        let database = try TemporaryDatabase()
        let path = database.path
        let stores = [try open(path), try open(path)]
        defer { for store in stores { store.close() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for count in 0..<10_000 {
                        if count % 20 == 0, try restarts(ofLog: path) >= 3 { return }
                        let booking = Samples.booking(hours: Int64(2 * count + number))
                        _ = try await store.book(booking, as: nil, minutes: 30)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try restarts(ofLog: path) >= 3)
    }

    @Test("shows for how long a reader has kept it from shrinking")
    func blocked() async throws {
        let database = try TemporaryDatabase()
        let clock = TestClock(Timestamp(secondsSince1970: 1_729_418_699))
        let store = try open(database.path, uptime: clock.uptime)
        defer { store.close() }
        #expect(await store.status().log?.blockedSeconds == 0)
        let reader = try Database(path: database.path, access: .read)
        try reader.execute("BEGIN")
        try reader.execute("SELECT count(*) FROM appointments")
        var hour: Int64 = 0
        while store.checkpointer?.blockedDuration == nil {
            _ = try await store.book(Samples.booking(hours: hour), as: nil, minutes: 30)
            hour += 1
        }
        clock.advance(bySeconds: 75)
        #expect(await store.status().log?.blockedSeconds == 75)
        #expect(await store.status().log?.bytes ?? 0 > 20 * 4_096)
        reader.close()
        let deadline = ContinuousClock.now + .seconds(60)
        while await store.status().log?.blockedSeconds != 0 {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
    }

    @Test("is emptied while many rows are deleted, unless a reader prevents it")
    func deletions() async throws {
        let database = try TemporaryDatabase()
        let clock = ManualClock()
        let store = try open(database.path, clock: clock)
        defer { store.close() }
        var ids: [String] = []
        for hour in 0..<400 {
            let booking = Samples.booking(hours: Int64(hour))
            ids.append(try await store.book(booking, as: nil, minutes: 30).id)
        }
        clock.advance(bySeconds: 86_400 * 100)
        let reader = try Database(path: database.path, access: .read)
        try reader.execute("BEGIN")
        try reader.execute("SELECT count(*) FROM appointments")
        let error = await #expect(throws: Problem.self) {
            for id in ids.prefix(100) {
                _ = try await store.deleteAppointments([id], endedBefore: clock.now)
            }
        }
        guard let failure = error?.failure else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.kind == .locked && failure.description.contains("-wal from shrinking"))
        reader.close()
        for id in ids {
            _ = try await store.deleteAppointments([id], endedBefore: clock.now)
            // A deletion changes fewer pages than this.
            #expect(store.file.logBytes < (50 + 50) * 4_128)
        }
        #expect(try await store.appointments(after: nil, limit: 9).isEmpty)
    }
}
