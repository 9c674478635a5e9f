import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Foundation
import Testing

@testable import BackendKit
@testable import SQLiteStorage

@Suite("Retention", .timeLimit(.minutes(10)))
struct RetentionTests {
    private let clock = ManualClock(SystemClock().now)

    private func start(_ path: String, retainDays: Int? = nil) throws -> Backend {
        try Backend(
            database: path,
            retainDays: retainDays,
            salons: [AlwaysOpenBackend.salon()],
            clock: clock
        )
    }

    /// Stores that the backend has run for a day with the clock of the test.
    private func setClockSteady(_ path: String) throws {
        let database = try Database(path: path, access: .write)
        try database.execute("UPDATE clock SET seen_at = \(clock.now.secondsSince1970), wait = 0")
    }

    private func appointments(_ backend: Backend) throws -> String {
        try #require(exchange(backend.port, "GET /appointments")).body
    }

    private func book(
        _ backend: Backend,
        _ minutes: Int,
        key: String
    ) throws -> Response? {
        exchange(
            backend.port,
            "POST /appointments",
            headers: ["Idempotency-Key: \(key)"],
            body: AlwaysOpenBackend.booking(try AlwaysOpenBackend.time(minutes))
        )
    }

    @Test("a backend deletes at its start what ended more than the number of days ago")
    func backend() async throws {
        let database = try TemporaryDatabase()
        var backend = try start(database.path)
        let old = try #require(try book(backend, 0, key: "old")).appointment()
        let recent = try #require(try book(backend, 60, key: "recent")).appointment()
        // A day after the end of the first appointment, and less than a day after the end of the
        // second one.
        let end = try AlwaysOpenBackend.time(31).instant.advanced(bySeconds: 86_400)
        clock.advance(bySeconds: end.seconds(since: clock.now))
        backend.stop()
        backend = try start(database.path)
        #expect(try appointments(backend).contains(try #require(old.id)))
        let cursor = try #require(exchange(backend.port, "GET /changes")).body
            .firstMatch(of: /"cursor":"([^"]+)"/)?.output.1
        backend.stop()
        try setClockSteady(database.path)
        backend = try start(database.path, retainDays: 1)
        defer { backend.stop() }
        let deadline = ContinuousClock.now + .seconds(60)
        while try appointments(backend).contains(try #require(old.id)) {
            try #require(ContinuousClock.now < deadline)
            // The task that deletes needs one of the few threads that tests share.
            await Task.yield()
        }
        #expect(try appointments(backend).contains(try #require(recent.id)))
        let changes = exchange(backend.port, "GET /changes?since=\(try #require(cursor))")
        #expect(
            changes?.body.hasSuffix(
                #""appointments":[],"deleted":[{"kind":"appointment","id":"\#(old.id ?? "")"}]}"#
            ) == true
        )
        let missing = exchange(backend.port, "GET /appointments/\(old.id ?? "")")
        #expect(try missing?.errorBody().name == "appointmentNotFound")
        let repeated = try #require(try book(backend, 0, key: "old"))
        #expect(repeated.status == 410)
        #expect(try repeated.errorBody().name == "appointmentDeleted")
        let voided = exchange(backend.port, "DELETE /idempotency-keys/old")
        #expect(voided?.status == 409 && voided?.body.contains("12345") == false)
    }

    @Test("nothing is deleted until the clock has been steady for a day")
    func steadyClock() async throws {
        let clock = TestClock(clock.now)
        let store = try SQLiteBookingStore(
            path: ":memory:",
            clock: clock,
            newSalons: [AlwaysOpenBackend.salon()],
            uptime: clock.uptime
        )
        defer { store.close() }
        let time = try AlwaysOpenBackend.time(0)
        let booking = BookingRequest(salonID: AlwaysOpenBackend.id, time: time, phone: "12345")
        try await store.book(booking, as: nil, minutes: 30)
        #expect(
            try await firstMessage(store).hasPrefix("old appointments will be deleted in a day")
        )
        clock.advance(bySeconds: 10 * 86_400)
        let deleted = "deleted appointments that ended more than 1 days ago: 1"
        #expect(try await firstMessage(store) == deleted)
        try await store.book(booking, as: nil, minutes: 30)
        clock.jump(bySeconds: 86_401)
        #expect(
            try await firstMessage(store).hasPrefix("old appointments will be deleted in a day")
        )
        #expect(try await store.appointments(after: nil, limit: 9).count == 1)
    }

    /// The first message of a new task that deletes.
    private func firstMessage(_ store: SQLiteBookingStore) async throws -> String {
        let (messages, continuation) = AsyncStream.makeStream(of: String.self)
        let task = RetentionTask(store, days: 1) { entry in
            if case .message(let text, _, _) = entry { continuation.yield(text) }
        }
        defer { task.cancel() }
        return try #require(await messages.first { _ in true })
    }

    @Test("appointments on many pages and in many batches are all deleted, and the rest is not")
    func batches() async throws {
        let salons = [AlwaysOpenBackend.salon()]
        let store = try SQLiteBookingStore(path: ":memory:", clock: clock, newSalons: salons)
        defer { store.close() }
        let start = try AlwaysOpenBackend.time(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<2_300 {
                let time = start.advanced(byMinutes: 5 * index)
                let id = AlwaysOpenBackend.id
                let booking = BookingRequest(salonID: id, time: time, phone: "12345")
                group.addTask { try await store.book(booking, as: nil, minutes: 5) }
            }
            try await group.waitForAll()
        }
        clock.advance(bySeconds: 30 * 86_400)
        let pruner = Pruner(store)
        let end = start.advanced(byMinutes: 5 * 2_070).instant.advanced(bySeconds: 1)
        let preview = try await pruner.preview(before: end)
        #expect(preview.appointments == 2_070)
        #expect(try await pruner.prune(before: end) == preview)
        #expect(try await store.appointments(after: nil, limit: 9_999).count == 230)
        clock.advance(bySeconds: DeletedAppointment.retentionSeconds + 1)
        let last = try await pruner.prune(before: clock.now)
        #expect(last.appointments == 230 && last.expired.deletedAppointments == 2_070)
    }
}
