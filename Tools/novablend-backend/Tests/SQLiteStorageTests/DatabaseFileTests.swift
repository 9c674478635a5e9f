import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Glibc
import Testing

@testable import SQLiteStorage

@Suite("The database file", .timeLimit(.minutes(10)))
struct DatabaseFileTests {
    private func modes(of database: borrowing TemporaryDatabase) -> [mode_t] {
        ["", "-wal", "-shm"].map { suffix in
            var status = stat()
            return stat(database.path + suffix, &status) == 0 ? status.st_mode & 0o777 : 0
        }
    }

    @Test("only this user can access a new database file, its -wal file, and its -shm file")
    func new() async throws {
        let database = try TemporaryDatabase()
        let store = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        defer { store.close() }
        _ = try await store.importSalons([Samples.salon()])
        #expect(modes(of: database) == [0o600, 0o600, 0o600])
    }

    @Test("permissions of other users are removed from existing files, even while they are in use")
    func existing() async throws {
        let database = try TemporaryDatabase()
        let first = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        defer { first.close() }
        _ = try await first.importSalons([Samples.salon()])
        for suffix in ["", "-wal", "-shm"] { #expect(chmod(database.path + suffix, 0o664) == 0) }
        let second = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        defer { second.close() }
        #expect(modes(of: database) == [0o600, 0o600, 0o600])
        #expect(try await second.importSalons([Samples.salon()]).unchanged.count == 1)
        #expect(try await first.importSalons([Samples.salon()]).unchanged.count == 1)
    }

    @Test("a database with a second name is not opened under either, because each would have a log")
    func secondName() async throws {
        let database = try TemporaryDatabase()
        let store = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        defer { store.close() }
        _ = try await store.importSalons([Samples.salon()])
        let other = database.directory + "/other"
        #expect(link(database.path, other) == 0)
        for path in [database.path, other] {
            let failures = [
                #expect(throws: StorageFailure.self) {
                    try SQLiteBookingStore(path: path, clock: ManualClock())
                },
                #expect(throws: StorageFailure.self) { try SQLiteBookingStore.migrate(path) },
                #expect(throws: StorageFailure.self) {
                    try SQLiteBookingStore.backUp(path, to: database.directory + "/copy")
                },
            ]
            for failure in failures {
                #expect(failure?.description.contains("has 2 names (hard links)") == true)
            }
        }
        #expect(access(other + "-wal", F_OK) != 0)
        #expect(try await store.importSalons([Samples.salon()]).unchanged.count == 1)
        #expect(unlink(other) == 0)
        try SQLiteBookingStore(path: database.path, clock: ManualClock()).close()
    }

    @Test(
        "an output may be anything but a file of the database, or of one that is in use",
        arguments: [
            ("db.sqlite", false), ("db.sqlite-wal", false), ("db.sqlite-journal", false),
            ("db.sqlite-shm", false), ("db.sqlite-wal.123", false), ("used", false),
            ("used-wal", false), ("used-shm.5", false), ("db.sqlite2", true),
            ("db.sqlite.bak", true),
            ("other-wal", true), ("-wal", true), ("db.sqlite-wal2", true), ("db.sqlite-wal.", true),
            ("used.1", true), ("copy", true),
        ]
    )
    func outputs(name: String, isAccepted: Bool) throws {
        let database = try TemporaryDatabase()
        for file in ["used", "used-wal"] {
            let descriptor = open(database.directory + "/" + file, O_CREAT | O_WRONLY, 0o600)
            close(descriptor)
        }
        let path = database.directory + "/" + name
        // The database exists, or will.
        for _ in 0..<2 {
            let reason = SQLiteBookingStore.objection(toOutput: path, besides: database.path)
            #expect((reason == nil) == isAccepted, "\(reason ?? "")")
            try SQLiteBookingStore(path: database.path, clock: ManualClock()).close()
        }
    }

    @Test("a closed store leaves one file, which contains every change")
    func closed() async throws {
        let database = try TemporaryDatabase()
        let store = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        _ = try await store.importSalons([Samples.salon()])
        #expect(try await store.salons(after: nil, limit: 10).count == 1)
        store.close()
        #expect(modes(of: database) == [0o600, 0, 0])
        #expect(try database.run("SELECT COUNT(*) FROM salons") == ["1"])
    }

    @Test("a database of a different program is rejected and not changed")
    func differentProgram() throws {
        let database = try TemporaryDatabase()
        try database.run(
            "CREATE TABLE appointments (id TEXT)",
            "INSERT INTO appointments VALUES ('a')"
        )
        let failure = #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore(path: database.path, clock: ManualClock())
        }
        #expect(failure?.kind == .corrupted)
        #expect(failure?.description == "it is not a database of novablend-backend")
        #expect(try database.run("SELECT * FROM appointments") == ["a"])
        #expect(try database.run("SELECT name FROM sqlite_schema") == ["appointments"])
    }

    @Test("the log of a replaced database is renamed, and not applied to the file in its place")
    func replaced() async throws {
        let database = try TemporaryDatabase()
        let other = try TemporaryDatabase()
        let successor = try SQLiteBookingStore(path: other.path, clock: ManualClock())
        _ = try await successor.importSalons([Samples.salon(2)])
        successor.close()
        let store = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        _ = try await store.importSalons([Samples.salon(1)])
        var status = stat()
        #expect(stat(database.path, &status) == 0)
        #expect(rename(other.path, database.path) == 0)
        store.close()
        #expect(try database.run("SELECT json_extract(json, '$.name') FROM salons") == ["Salon 2"])
        #expect(access("\(database.path)-wal.\(status.st_ino)", F_OK) == 0)
    }
}
