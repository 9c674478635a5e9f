import BackendKit
import Foundation
import SystemTestSupport
import Testing

@Suite("migrate and backup", .timeLimit(.minutes(10)))
struct MaintenanceTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.path + "/db.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    private func run(_ words: String...) async throws -> CommandOutput {
        try await CommandOutput(words + ["--database", database])
    }

    /// Changes the version of the tables, which SQLite stores in the header of the file.
    private func setSchemaVersion(_ version: UInt8) throws {
        let file = try FileHandle(forUpdating: URL(filePath: database))
        try file.seek(toOffset: 63)
        try file.write(contentsOf: Data([version]))
        try file.close()
    }

    @Test("A database that is up to date needs no migration")
    func upToDate() async throws {
        try Backend(database: database).stop()
        for words in [["migrate", "--dry-run"], ["migrate"]] {
            let outcome = try await CommandOutput(words + ["--database", database])
            #expect(outcome.code == 0 && outcome.output == "the tables are up to date\n")
        }
    }

    @Test("An empty file needs all migrations; a dry run lists them and changes nothing")
    func empty() async throws {
        try Data().write(to: URL(filePath: database))
        let preview = try await run("migrate", "--dry-run")
        #expect(preview.code == 0 && preview.output.hasPrefix("1  Create the tables"))
        #expect(try Data(contentsOf: URL(filePath: database)).isEmpty)
        let rejected = try await CommandOutput(
            ["salons", "import", "-", "--dry-run", "--database", database],
            input: "name,location,open_time,close_time\nA,B,9:00,10:00\n"
        )
        #expect(rejected.code == 1 && rejected.errors.contains("are not up to date\n"))
        #expect(try Data(contentsOf: URL(filePath: database)).isEmpty)
        #expect(try await run("migrate").output == preview.output)
        #expect(try await run("migrate").output == "the tables are up to date\n")
    }

    @Test("A database of a newer version is rejected by every command, and is not changed")
    func newer() async throws {
        try Backend(database: database).stop()
        try setSchemaVersion(99)
        let before = try Data(contentsOf: URL(filePath: database))
        for words in [
            ["migrate"], ["migrate", "--dry-run"], ["salons", "export"], ["--port", "0"],
        ] {
            let outcome = try await CommandOutput(words + ["--database", database])
            #expect(outcome.code == 1 && outcome.output.isEmpty, "\(words)")
            #expect(outcome.errors.contains("it has schema version 99"), "\(outcome.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: database)) == before)
    }

    @Test("A backup while the server runs is a complete database")
    func backup() async throws {
        let backend = try Backend(database: database)
        defer { backend.stop() }
        let copy = directory.path + "/copy.sqlite"
        let outcome = try await run("backup", copy)
        #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
        let original = try await run("salons", "export")
        let export = try await CommandOutput(["salons", "export", "--database", copy])
        #expect(export.code == 0 && export.output == original.output)
        #expect(original.output.contains("Night Owl"))
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("A backup replaces a file only with --force, and never the database itself")
    func overwriting() async throws {
        try Backend(database: database).stop()
        let copy = directory.path + "/copy.sqlite"
        try Data("x".utf8).write(to: URL(filePath: copy))
        let rejected = try await run("backup", copy)
        #expect(rejected.code == 73)
        #expect(rejected.errors == "novablend-backend: \(copy) exists; replace it with --force\n")
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data("x".utf8))
        #expect(try await run("backup", copy, "--force").code == 0)
        #expect(try await CommandOutput(["salons", "export", "--database", copy]).code == 0)
        let itself = try await run("backup", database, "--force")
        #expect(itself.code == 73 && itself.errors.contains("is a file of the database"))
        #expect(try await run("salons", "export").code == 0)
    }

    @Test("A backup of or to a file that cannot be used is an error and leaves no file")
    func unusable() async throws {
        #expect(try await run("backup", directory.path + "/copy.sqlite").code == 66)
        try Backend(database: database).stop()
        let missing = try await run("backup", directory.path + "/missing/copy.sqlite")
        #expect(missing.code == 73 && missing.errors.contains("No such file or directory"))
        try Data("This is text and no database, but long enough.".utf8)
            .write(to: URL(filePath: database))
        #expect(try await run("backup", directory.path + "/copy.sqlite").code == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!names.contains { $0.contains("copy") })
    }

    @Test("A directory of backups retains the newest ones, and all other files")
    func backupDirectory() async throws {
        try Backend(database: database).stop()
        let backups = directory.path + "/backups"
        let manager = FileManager.default
        try manager.createDirectory(atPath: backups, withIntermediateDirectories: false)
        let others = ["backend-x.sqlite", "notes.txt", "backend-20200101T000000Z.sqlite.new"]
        let earlier = (10...24).map { "backend-20200101T0000\($0)Z.sqlite" }
        for name in earlier + others {
            #expect(manager.createFile(atPath: "\(backups)/\(name)", contents: Data()))
        }
        let outcome = try await run("backup", "--directory", backups, "--keep", "14")
        #expect(outcome.code == 0 && outcome.output.hasSuffix(" rows, checked\n"))
        let remaining = Set(try manager.contentsOfDirectory(atPath: backups))
        #expect(remaining.isSuperset(of: earlier.suffix(13)) && remaining.isSuperset(of: others))
        let new = remaining.subtracting(earlier + others)
        #expect(remaining.count == 14 + others.count && new.count == 1)
        let copy = "\(backups)/\(try #require(new.first))"
        #expect(outcome.output.hasPrefix("\(copy): "))
        #expect(try await CommandOutput(["salons", "export", "--database", copy]).code == 0)
    }

    @Test("A directory of backups is created for this user only, and nothing is deleted by default")
    func newBackupDirectory() async throws {
        try Backend(database: database).stop()
        let backups = directory.path + "/new"
        #expect(try await run("backup", "--directory", backups).code == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: backups)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: backups).count == 1)
    }

    @Test("A backup that fails deletes no earlier one")
    func failedBackup() async throws {
        let backups = directory.path + "/backups"
        try FileManager.default.createDirectory(
            atPath: backups,
            withIntermediateDirectories: false
        )
        let earlier = "\(backups)/backend-20200101T000000Z.sqlite"
        try Data().write(to: URL(filePath: earlier))
        try Data("This is text and no database, but long enough.".utf8)
            .write(to: URL(filePath: database))
        #expect(try await run("backup", "--directory", backups, "--keep", "1").code == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: backups)
        #expect(names == ["backend-20200101T000000Z.sqlite"])
    }

    @Test("A backup needs either a file or a directory")
    func destinations() async throws {
        try Backend(database: database).stop()
        let copy = directory.path + "/copy"
        for words in [[], [copy, "--directory", copy], [copy, "--keep", "2"], ["--keep", "2"]] {
            let outcome = try await CommandOutput(["backup"] + words + ["--database", database])
            #expect(outcome.code == 64, "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }
}
