import Foundation
import Testing

@testable import BackendKit

@Suite("The database file", .timeLimit(.minutes(2)))
struct DatabaseFileTests {
    private func modes(of database: borrowing TemporaryDatabase) throws -> [Int] {
        try ["", "-wal", "-shm"].map { suffix in
            let path = database.path + suffix
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return try #require(attributes[.posixPermissions] as? Int)
        }
    }

    @Test("a new one, its log and its index are for this user only")
    func new() throws {
        let database = try TemporaryDatabase()
        let server = try RoundTheClock(database: database.path)
        defer { server.backend.stop() }
        _ = try server.book(try RoundTheClock.time(60))
        #expect(try modes(of: database) == [0o600, 0o600, 0o600])
    }

    @Test("the mode of an existing one is tightened, also while its log is in use")
    func existing() throws {
        let database = try TemporaryDatabase()
        let first = try RoundTheClock(database: database.path)
        defer { first.backend.stop() }
        _ = try first.book(try RoundTheClock.time(60))
        for suffix in ["", "-wal", "-shm"] { #expect(chmod(database.path + suffix, 0o664) == 0) }
        let second = try RoundTheClock(database: database.path)
        defer { second.backend.stop() }
        #expect(try modes(of: database) == [0o600, 0o600, 0o600])
        #expect(second.post(try RoundTheClock.time(60))?.status == 409)
        #expect(first.post(try RoundTheClock.time(120))?.status == 201)
    }

    @Test("one with the tables of a different version is refused, and left as it was")
    func differentVersion() throws {
        let database = try TemporaryDatabase()
        try database.run(
            "CREATE TABLE appointments (id TEXT)",
            "INSERT INTO appointments VALUES ('a')"
        )
        let failure = #expect(throws: Backend.StartFailure.self) {
            try Backend(database: database.path)
        }
        #expect(failure?.description.contains("different version") == true)
        #expect(try database.run("SELECT * FROM appointments") == [[.text("a")]])
        #expect(try database.run("SELECT name FROM sqlite_schema") == [[.text("appointments")]])
    }
}
