import Foundation
import JSON
import SystemSupport
import SystemTestSupport
import Testing

/// Arguments, environment variables, and paths are bytes. Most of them are UTF-8, but not all.
@Suite("Arguments that are not UTF-8", .throttled, .timeLimit(.minutes(10)))
struct SystemTextTests {
    private let cli: CommandLineClient
    /// A path with a byte of ISO 8859-1.
    private let path: String

    init() async throws {
        cli = try CommandLineClient(try await BackendProcess())
        path =
            cli.home.path + "/" + String(systemBytes: Array("sal".utf8) + [0xF3] + Array("n".utf8))
    }

    /// Whether a file exists under exactly these bytes.
    private func exists(_ path: String) -> Bool { access(path.systemBytes, F_OK) == 0 }

    private func write(_ text: String, to path: String) {
        let file = open(path.systemBytes, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        close(file)
    }

    @Test("text is rejected, and nothing is done")
    func text() async throws {
        let invalid = String(systemBytes: [0x61, 0xFF])
        for words in [
            ["--notes", invalid], ["--notes=" + invalid], ["--email", invalid], ["--key", invalid],
        ] {
            let outcome = try await cli.book("12:00", words)
            #expect(outcome.code == 64, "\(outcome)")
            #expect(outcome.errors.contains("must be UTF-8\n"), "\(outcome)")
        }
        for words in [
            ["salons", invalid], ["cancel", invalid, "--yes"], [invalid], ["--\(invalid)"],
        ] {
            let outcome = try await cli.run(words)
            #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
        }
        #expect(try await cli.run("appointments").output.isEmpty)
        write("limit = 1\ntimeout = \(invalid)\n", to: cli.home.path + "/config")
        let config = cli.home.path + "/config"
        #expect(try await cli.run("salons", "--config", config).code == 78)
    }

    @Test("a file that a command reads or writes is the one with exactly these bytes")
    func files() async throws {
        #expect(try await cli.book("12:00").code == 0)
        let exported = try await cli.run("appointments", "--ical=\(path)")
        #expect(exported.code == 0 && exists(path), "\(exported)")
        #expect(try await cli.run("appointments", "--ical=\(path)").code != 0)

        let shown = try await cli.run("salon", "show", Sample.salon, "--json").object()
        write(try shown.required("salon").object().text, to: path + ".json")
        let put = try await cli.run("salon", "put", path + ".json")
        #expect(put.code == 0, "\(put)")

        write("read-only = true\n", to: path + ".config")
        #expect(try await cli.book("13:00", ["--config", path + ".config"]).code == 77)
        write("a token", to: path + ".token")
        let token = try await cli.run("salons", "--token-file", path + ".token")
        #expect(token.code == 78 && token.errors.contains("no valid token"), "\(token)")
        let trace = try await cli.run("serve", "--trace", path + ".trace")
        #expect(trace.code == 0 && exists(path + ".trace"), "\(trace)")
        let missing = try await cli.run("salons", "--config", path + ".none")
        #expect(missing.code == 78 && missing.errors.contains("sal\u{FFFD}n.none"), "\(missing)")
    }

    @Test("the cache, the journal, and the configuration file are below HOME as it is")
    func home() async throws {
        let environment = ["HOME": path]
        #expect(mkdir(path.systemBytes, 0o700) == 0)
        for words in [["salons"], ["salons", "--policy", "cacheOnly"], ["cache", "status"]] {
            let outcome = try await cli.run(words, environment: environment)
            #expect(outcome.code == 0 && !outcome.output.isEmpty, "\(outcome)")
        }
        #expect(try await cli.run(["doctor"], environment: environment).code == 0)
        #expect(exists(path + "/.cache/novablend/accounts"))
        let options = ["--cache-dir", path + "/c", "--state-dir", path + "/s"]
        #expect(try await cli.book("12:00", options).code == 0)
        #expect(exists(path + "/c/accounts") && exists(path + "/s/accounts"))
        #expect(mkdir((path + "/.config").systemBytes, 0o700) == 0)
        #expect(mkdir((path + "/.config/novablend").systemBytes, 0o700) == 0)
        write("unknown = 1\n", to: path + "/.config/novablend/config")
        #expect(try await cli.run(["salons"], environment: environment).code == 78)
        #expect(try FileManager.default.contentsOfDirectory(atPath: cli.home.path).count == 1)
    }

    @Test("the backend's database is the file with exactly these bytes")
    func database() async throws {
        let backend = try await BackendProcess(database: path)
        #expect(exists(path))
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("appointments/book", Sample.booking())
        let copy = try ChildProcess(
            Binaries.backend,
            ["backup", path + ".copy", "--database", path]
        )
        #expect(await copy.exitCode() == 0, "\(copy.standardError())")
        #expect(exists(path + ".copy") && exists(path + "-wal"))
    }
}
