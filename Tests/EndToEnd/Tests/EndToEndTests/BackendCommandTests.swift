import Foundation
import SystemTestSupport
import Testing

@Suite(
    "The commands of the backend, as processes that share a database",
    .throttled,
    .timeLimit(.minutes(10))
)
struct BackendCommandTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.path + "/db.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    private struct Outcome {
        var output: String
        var errors: String
        var code: Int32
    }

    /// Runs a command with the database, through the program and arguments in `wrapper` if there
    /// are any.
    private func run(
        _ words: [String],
        through wrapper: [String] = [],
        input: String = ""
    ) async throws -> Outcome {
        let command = wrapper + [Binaries.backend] + words + ["--database", database]
        let child = try ChildProcess(command[0], Array(command.dropFirst()))
        child.send(input)
        child.endInput()
        let output = await child.remainingOutput()
        let code = await child.exitCode()
        return Outcome(output: output, errors: child.standardError(), code: code)
    }

    /// A file with the first sample salon, which is open from 10:00 to `close`.
    private func file(close: String) -> String {
        """
        id,name,location,open_time,close_time
        \(Sample.salon),Scherenschnitt,Berlin,10:00,\(close)

        """
    }

    /// A file with `count` salons, whose location is `location`.
    private func salons(_ count: Int, at location: String) -> String {
        let lines = (0..<count).map { number in
            let digits = String(number)
            let id = "5a100000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            return "\(id)\(digits),S\(number),\(location),10:00,11:00\n"
        }
        return "id,name,location,open_time,close_time\n" + lines.joined()
    }

    @Test("an import changes the rules of a running server from the next request on")
    func runningServer() async throws {
        let backend = try await BackendProcess(database: database)
        let client = try Novablend(["--base-url", backend.url])
        let booked = try await client.result("appointments/book", Sample.booking(hour: 20)).text
        let outcome = try await run(["salons", "import", "-"], input: file(close: "12:00"))
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output.contains("\n1 booking no longer fits and was retained\n"))
        #expect(outcome.output.contains("0 created, 1 changed, 0 unchanged, 0 deleted\n"))
        let other = try Novablend(["--base-url", backend.url])
        #expect(
            try await other.failure("appointments/book", Sample.booking(hour: 21)).code == 1_203
        )
        _ = try await other.result("appointments/book", Sample.booking(hour: 11))
        let listed = try await other.result("appointments/list").text
        #expect(listed.contains("T20:00:00") && booked.contains("T20:00:00"))
        let missing = salons(2, at: "x").replacing("00001,", with: "00009,")
        let words = ["salons", "import", "-", "--delete-missing", "--yes"]
        let rejected = try await run(words, input: missing)
        #expect(rejected.code == 4 && rejected.errors.contains("Scherenschnitt"))
    }

    @Test("imports at the same time are one after the other, and a server goes on booking")
    func concurrentImports() async throws {
        let backend = try await BackendProcess(database: database)
        let client = try Novablend(["--base-url", backend.url])
        let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
            for location in ["a", "b", "c", "d"] {
                let file = salons(300, at: location)
                group.addTask { try await run(["salons", "import", "-"], input: file).code }
            }
            _ = try await client.result("appointments/book", Sample.booking(hour: 10))
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == [0, 0, 0, 0])
        let export = try await run(["salons", "export"])
        let counts = ["a", "b", "c", "d"].map {
            export.output.components(separatedBy: "\"location\":\"\($0)\"").count - 1
        }
        #expect(counts.sorted() == [0, 0, 0, 300])
    }

    @Test(
        "an import that is killed at any step has changed all salons or none",
        .enabled(if: Tracer.isAllowed)
    )
    func killed() async throws {
        let (old, new) = (salons(50, at: "old"), salons(50, at: "new"))
        var kills = 0
        for call in ["pwrite64", "fdatasync", "fsync"] {
            for step in 1...40 {
                #expect(try await run(["salons", "import", "-"], input: old).code == 0)
                let tracer = Tracer(call: call, step: step)
                let outcome = try await run(
                    ["salons", "import", "-"],
                    through: [Tracer.program] + tracer.arguments,
                    input: new
                )
                let export = try await run(["salons", "export"]).output
                let count = export.components(separatedBy: "\"location\":\"new\"").count - 1
                #expect(count == 0 || count == 50, "\(call) \(step): \(count)")
                if outcome.code == 0 {
                    #expect(count == 50, "\(call) \(step)")
                    break
                }
                kills += 1
            }
        }
        #expect(kills > 5)
        print("killed \(kills) imports")
    }

    @Test("a full disk is an error, and changes nothing")
    func fullDisk() async throws {
        #expect(try await run(["salons", "import", "-"], input: salons(2, at: "old")).code == 0)
        let before = try await run(["salons", "export"]).output
        // A write beyond the limit fails, as on a full disk.
        let limit = ["/bin/bash", "-c", #"trap '' XFSZ; ulimit -f 100; exec "$@""#, "bash"]
        let file = salons(5_000, at: "new")
        let outcome = try await run(["salons", "import", "-"], through: limit, input: file)
        #expect(outcome.code == 74 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.hasPrefix("novablend-backend: the database failed: "))
        #expect(try await run(["salons", "export"]).output == before)
        let copy = directory.path + "/copy.sqlite"
        #expect(try await run(["salons", "import", "-"], input: file).code == 0)
        let backup = try await run(["backup", copy], through: limit)
        #expect(backup.code == 73 && !FileManager.default.fileExists(atPath: copy), "\(backup)")
        let export = try await run(["salons", "export", copy], through: limit)
        #expect(export.code == 73 && !FileManager.default.fileExists(atPath: copy), "\(export)")
    }

    @Test("an export whose output cannot be written is an error")
    func fullOutput() async throws {
        #expect(try await run(["salons", "import", "-"], input: salons(2, at: "x")).code == 0)
        let full = ["/bin/bash", "-c", #"exec "$@" > /dev/full"#, "bash"]
        let outcome = try await run(["salons", "export"], through: full)
        #expect(outcome.code == 74)
        #expect(outcome.errors.contains("cannot write the output: No space left on device"))
    }

    @Test("a database that a different program has locked is an error, and is not changed")
    func locked() async throws {
        #expect(try await run(["salons", "import", "-"], input: salons(2, at: "old")).code == 0)
        let script = """
            import sqlite3, sys
            connection = sqlite3.connect(sys.argv[1], isolation_level=None)
            connection.execute("BEGIN IMMEDIATE")
            print("locked", flush=True)
            sys.stdin.read()
            """
        let locker = try ChildProcess("/usr/bin/python3", ["-c", script, database])
        #expect(await locker.line() == "locked")
        let outcome = try await run(["salons", "import", "-"], input: salons(2, at: "new"))
        #expect(outcome.code == 69 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("locked"), "\(outcome.errors)")
        // Reading and copying do not wait for the lock.
        let export = try await run(["salons", "export"])
        #expect(export.code == 0 && export.output.contains("\"old\""))
        #expect(try await run(["backup", directory.path + "/copy.sqlite"]).code == 0)
        locker.endInput()
        _ = await locker.exitCode()
        #expect(try await run(["salons", "import", "-"], input: salons(2, at: "new")).code == 0)
    }
}
