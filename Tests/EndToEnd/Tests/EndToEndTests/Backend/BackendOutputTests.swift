import Foundation
import SystemTestSupport
import Testing

@Suite(
    "A command whose output would meet a file of the database that a server uses",
    .throttled,
    .timeLimit(.minutes(10))
)
struct BackendOutputTests {
    private static let count = 5

    private let directory: TemporaryDirectory
    private var database: String { directory.file("db.sqlite") }

    init() throws { directory = try TemporaryDirectory() }

    /// Other paths of the database, its log, and the index of the log, and the paths that its further
    /// files would have.
    private func outputs() throws -> [String] {
        let names = ["db.sqlite", "db.sqlite-wal", "db.sqlite-shm"]
        for name in names {
            try directory.link("symbolic-\(name)", to: directory.file(name))
            #expect(link(directory.file(name), directory.file("hard-\(name)")) == 0)
        }
        try directory.link("folder", to: directory.path)
        return names
            + ["db.sqlite-journal", "hard-db.sqlite-journal", "folder/db.sqlite-journal"]
            + names.flatMap { ["symbolic-\($0)", "hard-\($0)", "folder/\($0)", "./\($0)"] }
    }

    /// The commands that write to a file.
    private func commands(to path: String) -> [[String]] {
        [
            ["backup", path], ["salons", "export", path], ["salons", "export", "--csv", path],
            ["tokens", "create", "--role", "administrator", "--output", path],
            ["customers", "export", HTTPRequest.phone(0), "--output", path],
        ]
    }

    private func run(
        _ words: [String],
        _ database: String
    ) async throws -> (code: Int32, errors: String) {
        let child = try ChildProcess(Binaries.backend, words + ["--database", database])
        child.endInput()
        _ = await child.remainingOutput()
        return (await child.exitCode(), child.standardError())
    }

    @Test("fails, and after a kill each confirmed booking exists", arguments: [false, true])
    func rejected(isNamedByLink: Bool) async throws {
        let backend = try await BackendProcess(database: database)
        for number in 0..<Self.count {
            #expect(try await backend.response(to: .booking(number)).status == 201)
        }
        let paths = try outputs().map(directory.file)
        let name = isNamedByLink ? directory.file("hard-db.sqlite") : database
        for path in paths {
            for words in commands(to: path) {
                let (code, errors) = try await run(words + ["--force"], name)
                #expect(code == 73, "\(words): \(errors)")
                #expect(errors.contains("is a file of the database \(name)"), "\(errors)")
            }
        }
        #expect(try await backend.response(to: .get("/health/ready")).status == 200)
        backend.child.kill()
        for path in ["hard-db.sqlite", "hard-db.sqlite-wal", "hard-db.sqlite-shm"] {
            try directory.remove(path)
        }
        let restarted = try await BackendProcess(database: database)
        let phones = try await restarted.appointments().map(\.phone)
        #expect(Set(phones) == Set((0..<Self.count).map(HTTPRequest.phone)))
        let leftovers = try directory.entries().filter { !$0.contains("db.sqlite") }
        #expect(leftovers == ["folder"])
        await restarted.stop()
    }

    @Test("fails although the file does not exist yet, without --force and before anything changes")
    func future() async throws {
        await (try BackendProcess(database: database)).stop()
        #expect(try directory.entries() == ["db.sqlite"])
        for suffix in ["-wal", "-shm", "-journal"] {
            for words in commands(to: database + suffix) {
                #expect(try await run(words, database).code == 73, "\(words)")
            }
        }
        #expect(try directory.entries() == ["db.sqlite"])
        let tokens = try ChildProcess(Binaries.backend, ["tokens", "list", "--database", database])
        #expect(await tokens.remainingOutput() == "no tokens\n")
    }

    @Test("fails if it is a database that another server uses, or a file of it")
    func otherDatabase() async throws {
        let other = directory.file("other.sqlite")
        let backend = try await BackendProcess(database: other)
        #expect(try await backend.response(to: .booking(0)).status == 201)
        await (try BackendProcess(database: database)).stop()
        for path in [other, other + "-wal", other + "-shm"] {
            for words in commands(to: path) {
                #expect(try await run(words + ["--force"], database).code == 73, "\(words)")
            }
        }
        backend.child.kill()
        let restarted = try await BackendProcess(database: other)
        #expect(try await restarted.appointments().map(\.phone) == [HTTPRequest.phone(0)])
        await restarted.stop()
    }

    @Test("fails if a shell has connected its standard output or standard error to the file")
    func redirected() async throws {
        let backend = try await BackendProcess(database: database)
        #expect(try await backend.response(to: .booking(0)).status == 201)
        for (redirection, name) in [(">>", "output"), ("2>>", "error")] {
            for file in [database, database + "-wal"] {
                let size = try directory.bytes((file as NSString).lastPathComponent).count
                let script = #""$0" "$@" \#(redirection) "\#(file)""#
                let words = ["-c", script, Binaries.backend, "salons", "export"]
                let child = try ChildProcess("/bin/sh", words + ["--database", database])
                child.endInput()
                _ = await child.remainingOutput()
                #expect(await child.exitCode() == 73, "\(redirection) \(file)")
                if name == "output" {
                    #expect(child.standardError().contains("standard output is a file of"))
                    let after = try directory.bytes((file as NSString).lastPathComponent).count
                    #expect(after == size)
                }
            }
        }
        backend.child.kill()
        let restarted = try await BackendProcess(database: database)
        #expect(try await restarted.appointments().map(\.phone) == [HTTPRequest.phone(0)])
        await restarted.stop()
    }
}
