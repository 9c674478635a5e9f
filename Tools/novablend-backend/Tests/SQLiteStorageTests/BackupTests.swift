import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Glibc
import Testing

@testable import SQLiteStorage

@Suite("A backup", .timeLimit(.minutes(10)))
struct BackupTests {
    private let clock = ManualClock()

    private func names(in database: borrowing TemporaryDatabase) -> [String] {
        guard let entries = opendir(database.directory) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private func book(_ store: SQLiteBookingStore, _ hour: Int) async throws -> StoredAppointment {
        let booking = Samples.booking(hours: Int64(hour))
        return try await store.book(booking, as: nil, minutes: 30)
    }

    @Test("contains everything that was confirmed before it, while bookings continue")
    func online() async throws {
        let database = try TemporaryDatabase()
        let (path, copy) = (database.path, database.directory + "/copy")
        let store = try SQLiteBookingStore(path: path, clock: clock, newSalons: [Samples.salon()])
        defer { store.close() }
        var booked: [StoredAppointment] = []
        for hour in 0..<50 { booked.append(try await book(store, hour)) }
        async let later = (50..<150).asyncMap { try await book(store, $0) }
        try SQLiteBookingStore.backUp(path, to: copy)
        #expect(try await later.count == 100)
        var status = stat()
        #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(names(in: database) == ["copy", "db.sqlite", "db.sqlite-shm", "db.sqlite-wal"])
        let restored = try SQLiteBookingStore(path: copy, clock: clock)
        defer { restored.close() }
        let copied = try await restored.appointments(after: nil, limit: 1_000)
        #expect(Set(copied).isSuperset(of: booked))
        #expect(try await book(restored, 200).version == 1)
    }

    @Test("replaces an earlier backup")
    func again() async throws {
        let database = try TemporaryDatabase()
        let copy = database.directory + "/copy"
        let store = try SQLiteBookingStore(
            path: database.path,
            clock: clock,
            newSalons: [Samples.salon()]
        )
        defer { store.close() }
        try SQLiteBookingStore.backUp(database.path, to: copy)
        let booked = try await book(store, 0)
        try SQLiteBookingStore.backUp(database.path, to: copy)
        let restored = try SQLiteBookingStore(path: copy, clock: clock)
        defer { restored.close() }
        #expect(try await restored.appointments(after: nil, limit: 9) == [booked])
    }

    @Test("is recorded in the database, with the time at which it was found to be complete")
    func record() async throws {
        let database = try TemporaryDatabase()
        let salons = [Samples.salon()]
        let store = try SQLiteBookingStore(path: database.path, clock: clock, newSalons: salons)
        defer { store.close() }
        #expect(await store.status().backups == StoreStatus.Backups(last: nil, now: clock.now))
        let rows = try SQLiteBookingStore.backUp(database.path, to: database.directory + "/copy")
            .rowCount
        let first = try #require(await store.status().backups?.last)
        _ = try await book(store, 0)
        let more = try SQLiteBookingStore.backUp(database.path, to: database.directory + "/copy")
            .rowCount
        // The appointment, the six grains of its half hour, and the term of the change.
        #expect(more == rows + 8)
        #expect(try #require(await store.status().backups?.last) >= first)
        // The copy does not know of itself.
        let copy = try SQLiteBookingStore(path: database.directory + "/copy", clock: clock)
        defer { copy.close() }
        #expect(await copy.status().backups?.last == first)
    }

    @Test("that fails is not recorded")
    func failedRecord() async throws {
        let database = try TemporaryDatabase()
        let store = try SQLiteBookingStore(path: database.path, clock: clock)
        defer { store.close() }
        #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore.backUp(database.path, to: database.directory + "/none/copy")
        }
        #expect(await store.status().backups?.last == nil)
    }

    @Test("does not overwrite the database itself, or one that is in use")
    func inUse() throws {
        let database = try TemporaryDatabase()
        let other = try TemporaryDatabase()
        let stores = try [database.path, other.path].map {
            try SQLiteBookingStore(path: $0, clock: clock)
        }
        defer { for store in stores { store.close() } }
        let link = database.directory + "/link"
        #expect(symlink(database.path, link) == 0)
        for destination in [database.path, link, other.path] {
            #expect(throws: StorageFailure.self) {
                try SQLiteBookingStore.backUp(database.path, to: destination)
            }
        }
        #expect(names(in: other) == ["db.sqlite", "db.sqlite-shm", "db.sqlite-wal"])
    }

    @Test("that fails leaves no file")
    func failure() async throws {
        let database = try TemporaryDatabase()
        let copy = database.directory + "/copy"
        #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore.backUp(database.path, to: copy)
        }
        try SQLiteBookingStore(path: database.path, clock: clock).close()
        let failure = #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore.backUp(database.path, to: database.directory + "/none/copy")
        }
        #expect(failure?.description.contains("No such file or directory") == true)
        #expect(names(in: database) == ["db.sqlite"])
    }

    @Test("of a damaged database fails")
    func damaged() async throws {
        let database = try TemporaryDatabase()
        let store = try SQLiteBookingStore(
            path: database.path,
            clock: clock,
            newSalons: [Samples.salon()]
        )
        for hour in 0..<100 { _ = try await book(store, hour) }
        store.close()
        let file = open(database.path, O_WRONLY)
        // The pages after the first two, which contain the appointments.
        let noise = [UInt8](repeating: 0xA5, count: 4_096)
        for page in 3..<9 { #expect(pwrite(file, noise, noise.count, page * 4_096) == 4_096) }
        close(file)
        let failure = #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore.backUp(database.path, to: database.directory + "/copy")
        }
        #expect(failure?.kind == .corrupted)
        #expect(names(in: database) == ["db.sqlite"])
    }
}

extension Range<Int> {
    /// Transforms each number, one after the other.
    fileprivate func asyncMap<R>(_ transform: (Int) async throws -> R) async rethrows -> [R] {
        var results: [R] = []
        for number in self { results.append(try await transform(number)) }
        return results
    }
}
