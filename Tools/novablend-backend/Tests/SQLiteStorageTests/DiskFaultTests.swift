import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Glibc
import SystemTestSupport
import Testing

@testable import SQLiteStorage

@Suite("If the disk", .enabled(if: SmallDisk.isAllowed), .timeLimit(.minutes(10)))
struct DiskFaultTests {
    private let clock = ManualClock()

    private static func book(
        _ store: SQLiteBookingStore,
        _ number: Int
    ) async -> Result<StoredAppointment, Problem> {
        var booking = Samples.booking(hours: Int64(number))
        booking.note = String(repeating: "n", count: 1_000)
        do throws(Problem) {
            return .success(try await store.book(booking, as: nil, minutes: 30))
        } catch {
            return .failure(error)
        }
    }

    @Test("is full, changes fail, nothing confirmed is lost, and changes succeed with space again")
    func full() async throws {
        let disk = try SmallDisk(size: "1m")
        let ballast = creat(disk.directory.file("ballast"), 0o600)
        #expect(posix_fallocate(ballast, 0, 256 << 10) == 0)
        let path = disk.directory.file("db.sqlite")
        let store = try SQLiteBookingStore(
            path: path,
            clock: clock,
            newSalons: [Samples.salon()]
        )
        let results = await withTaskGroup(of: Result<StoredAppointment, Problem>.self) { group in
            for number in 0..<1_000 { group.addTask { await Self.book(store, number) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var booked = results.compactMap { try? $0.get() }
        #expect(!booked.isEmpty)
        let failures = results.compactMap { result in
            if case .failure(let problem) = result { problem.failure?.kind } else { nil }
        }
        #expect(booked.count + failures.count == 1_000)
        #expect(Set(failures) == [.full])
        let stored = try await store.appointments(after: nil, limit: 1_000)
        #expect(stored == booked.sorted { $0.id < $1.id })
        #expect(ftruncate(ballast, 0) == 0)
        close(ballast)
        booked.append(try await Self.book(store, 1_000).get())
        store.close()
        let again = try SQLiteBookingStore(path: path, clock: clock)
        defer { again.close() }
        let kept = try await again.appointments(after: nil, limit: 1_000)
        #expect(kept == booked.sorted { $0.id < $1.id })
    }

    @Test("is read-only, opening the database fails")
    func readOnly() async throws {
        let disk = try SmallDisk(size: "1m")
        let path = disk.directory.file("db.sqlite")
        let store = try SQLiteBookingStore(path: path, clock: clock, newSalons: [Samples.salon()])
        store.close()
        let isReadOnly = disk.makeReadOnly()
        try #require(isReadOnly)
        let failure = #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore(path: path, clock: clock)
        }
        #expect(failure?.kind == .readOnly)
    }
}
