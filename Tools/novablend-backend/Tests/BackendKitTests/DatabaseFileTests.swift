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

    @Test("only this user can access a new database file, its -wal file, and its -shm file")
    func new() throws {
        let database = try TemporaryDatabase()
        let server = try AlwaysOpenBackend(database: database.path)
        defer { server.backend.stop() }
        _ = try server.book(try AlwaysOpenBackend.time(60))
        #expect(try modes(of: database) == [0o600, 0o600, 0o600])
    }

    @Test("permissions of other users are removed from existing files, even while they are in use")
    func existing() throws {
        let database = try TemporaryDatabase()
        let first = try AlwaysOpenBackend(database: database.path)
        defer { first.backend.stop() }
        _ = try first.book(try AlwaysOpenBackend.time(60))
        for suffix in ["", "-wal", "-shm"] { #expect(chmod(database.path + suffix, 0o664) == 0) }
        let second = try AlwaysOpenBackend(database: database.path)
        defer { second.backend.stop() }
        #expect(try modes(of: database) == [0o600, 0o600, 0o600])
        #expect(second.post(try AlwaysOpenBackend.time(60))?.status == 409)
        #expect(first.post(try AlwaysOpenBackend.time(120))?.status == 201)
    }

    @Test("a database with the tables of a different version is rejected and not changed")
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
