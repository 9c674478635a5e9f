import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Glibc
import SystemSupport
import Testing

@testable import SQLiteStorage

@Suite("A booking store in SQLite", .timeLimit(.minutes(10)))
struct SQLiteBookingStoreTests {
    @Test("in a file", arguments: BookingStoreSpec.all)
    func inFile(spec: BookingStoreSpec) async throws {
        let database = try TemporaryDatabase()
        let path = database.path
        try await spec.check { clock in try SQLiteBookingStore(path: path, clock: clock) }
    }

    @Test("in memory", arguments: BookingStoreSpec.all.filter { !$0.needsSharedDatabase })
    func inMemory(spec: BookingStoreSpec) async throws {
        try await spec.check { clock in try SQLiteBookingStore(path: ":memory:", clock: clock) }
    }

    @Test("a read runs on the thread of its caller")
    func thread() async throws {
        let store = try SQLiteBookingStore(
            path: ":memory:",
            clock: ManualClock(),
            newSalons: [Samples.salon()]
        )
        defer { store.close() }
        let isSameThread = await withCheckedContinuation { continuation in
            // A thread that does not belong to Swift's concurrency runtime, so that every change
            // of the thread is noticed.
            let hasStarted = SystemThread.start {
                let caller = pthread_self()
                Task.immediate {
                    let salon = try? await store.salon(Samples.salonID())
                    let isSame = pthread_equal(pthread_self(), caller) != 0
                    continuation.resume(returning: isSame && salon != nil)
                }
            }
            if !hasStarted { continuation.resume(returning: false) }
        }
        #expect(isSameThread)
    }

    @Test("grains of the past and ended holds do not accumulate")
    func cleaning() async throws {
        let database = try TemporaryDatabase()
        let clock = ManualClock(Timestamp(secondsSince1970: 1_900_000_200))
        let store = try SQLiteBookingStore(
            path: database.path,
            clock: clock,
            newSalons: [Samples.salon()]
        )
        defer { store.close() }
        var booking = Samples.booking()
        for _ in 0..<20 {
            clock.advance(bySeconds: 86_400)
            booking.time.instant = clock.now.advanced(bySeconds: 3_600)
            try await store.book(booking, as: nil, minutes: 30)
            booking.time.instant = clock.now.advanced(bySeconds: 7_200)
            _ = try await store.hold(booking, seconds: 300) { salon in
                try BookingPlan(minutes: 30, at: salon)
            }
        }
        // Those of today and of the last day, and the holds that are still remembered.
        #expect(try database.run("SELECT count(*) FROM occupancy") == ["24"])
        #expect(try database.run("SELECT count(*) FROM holds") == ["2"])
    }

    @Test(
        "a random history has the same results as a simple model",
        arguments: 0..<20 as Range<UInt64>
    )
    func history(seed: UInt64) async throws {
        let database = try TemporaryDatabase()
        let path = database.path
        try await RandomHistory.check(seed: seed) { clock in
            try SQLiteBookingStore(path: path, clock: clock)
        } occupiedGrains: { now in
            try Database(path: path, access: .read).query(
                """
                SELECT salons.id, grain,
                    iif(typeof(resource) = 'integer', 'seat ', 'staff ') || resource,
                    coalesce(appointments.id, holds.id)
                FROM occupancy JOIN salons ON salons.number = salon
                    LEFT JOIN appointments ON appointments.number = owner
                    LEFT JOIN holds ON holds.number = -owner
                WHERE occupancy.expires_at IS NULL
                    OR occupancy.expires_at > \(now.secondsSince1970)
                """
            ) { row in
                OccupiedGrain(
                    salon: row.text(0),
                    grain: row.integer(1),
                    resource: row.text(2),
                    owner: row.text(3)
                )
            }
        }
    }
}
