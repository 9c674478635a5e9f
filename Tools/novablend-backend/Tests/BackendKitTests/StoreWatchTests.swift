import BookingStorage
import BookingStorageTestSupport
import Domain
import HTTPServing
import Synchronization
import Testing

@testable import BackendKit
@testable import SQLiteStorage

@Suite("What the backend says about its files", .timeLimit(.minutes(10)))
struct StoreWatchTests {
    private let clock = TestClock(Timestamp(secondsSince1970: 1_800_000_000))

    private func open(_ path: String) throws -> SQLiteBookingStore {
        try SQLiteBookingStore(
            path: path,
            clock: clock,
            newSalons: [AlwaysOpenBackend.salon()],
            logLimits: Checkpointer.Limits(interval: 20, maximum: 50),
            uptime: clock.uptime
        )
    }

    private func body(_ store: SQLiteBookingStore) async -> String {
        String(decoding: StoreWatch.body(for: await store.status()), as: UTF8.self)
    }

    /// Books until the log of the store cannot be copied because of a reader.
    private func bookUntilBlocked(_ store: SQLiteBookingStore) async throws {
        var minutes = 0
        while store.checkpointer?.blockedDuration == nil {
            let time = AppointmentTime(instant: clock.now).advanced(byMinutes: 60 + minutes)
            let booking = BookingRequest(salonID: AlwaysOpenBackend.id, time: time, phone: "12345")
            _ = try await store.book(booking, as: nil, minutes: 30)
            minutes += 30
        }
    }

    @Test("a reader that does not end is logged once and named in the body, until it ends")
    func blockedLog() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        let reader = try Database(path: database.path, access: .read)
        try reader.execute("BEGIN")
        try reader.execute("SELECT count(*) FROM appointments")
        try await bookUntilBlocked(store)
        clock.advance(bySeconds: 59)
        #expect(await body(store) == #"{"status":"ok"}"#)
        let (messages, continuation) = AsyncStream.makeStream(of: String.self)
        let watch = StoreWatch(store, interval: .milliseconds(1)) { entry in
            if case .message(let text, let level, _) = entry {
                continuation.yield("\(level): \(text)")
            }
        }
        defer { watch.cancel() }
        clock.advance(bySeconds: 1)
        var iterator = messages.makeAsyncIterator()
        let warning = "a program has been reading the database for 60 s without a pause, so its "
        #expect(await iterator.next()?.hasPrefix("warning: \(warning)") == true)
        #expect(await body(store).hasPrefix(#"{"status":"ok","warnings":["\#(warning)"#))
        reader.close()
        let end = "info: the write-ahead log of the database can shrink again"
        #expect(await iterator.next() == end)
        #expect(await body(store) == #"{"status":"ok"}"#)
    }

    @Test("the age of the last backup is in the body of readiness and a metric")
    func backups() throws {
        let database = try TemporaryDatabase()
        let address = MetricsAddress("127.0.0.1:0")
        let server = try AlwaysOpenBackend(database: database.path, metrics: address)
        defer { server.backend.stop() }
        let metrics = try #require(server.backend.metricsPort)
        let age = "novablend_backup_age_seconds"
        #expect(exchange(server.port, "GET /health/ready")?.body == #"{"status":"ok"}"#)
        #expect(exchange(metrics, "GET /metrics")?.body.contains("\n\(age) +Inf\n") == true)
        try SQLiteBookingStore.backUp(database.path, to: database.directory + "/copy")
        for path in ["/health/ready", "/health"] {
            let body = try #require(exchange(server.port, "GET \(path)")?.body)
            #expect(body.contains(/"lastBackup":"20[0-9T:-]+Z","backupAgeSeconds":[0-9]+}$/))
        }
        let text = try #require(exchange(metrics, "GET /metrics")?.body)
        #expect(text.contains(/\nnovablend_backup_age_seconds [0-9]+\.0\n/))
        #expect(text.contains(/\nnovablend_database_log_bytes [0-9]+\n/))
        #expect(text.contains("\nnovablend_database_log_blocked_seconds 0\n"))
        #expect(exchange(server.port, "GET /health/live")?.body == #"{"status":"ok"}"#)
    }
}
