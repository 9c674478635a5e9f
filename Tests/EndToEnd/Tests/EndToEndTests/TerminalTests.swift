import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Commands on a terminal", .throttled, .timeLimit(.minutes(10)))
struct TerminalTests {
    @Test("a table is truncated to the width of the terminal", arguments: [UInt16(40), 100])
    func width(columns: UInt16) async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let terminal = try TerminalProcess(
            columns: columns,
            Binaries.novablend,
            cli.arguments(["salons"]),
            cli.environment
        )
        let (shown, code) = await terminal.finish()
        let lines = shown.split(separator: "\r\n")
        #expect(code == 0 && lines.count == 7 && shown.contains("…"))
        #expect(lines.allSatisfy { $0.count <= Int(columns) })
        #expect(lines.contains { $0.count == Int(columns) })
    }

    @Test("after a second a progress message appears, which is erased at the end")
    func progress() async throws {
        let gate = Gate()
        let server = try ScriptedServer { _ in
            gate.wait()
            return .reply("200 OK", ZonedSalons.list(["Europe/Berlin"]))
        }
        let cli = try CommandLineClient(["--base-url", server.url])
        let terminal = try TerminalProcess(
            columns: 80,
            Binaries.novablend,
            cli.arguments(["salons"]),
            cli.environment
        )
        #expect(await terminal.shows("waiting for the server, "))
        gate.open()
        let (shown, code) = await terminal.finish()
        #expect(code == 0 && shown.contains("\r\u{1B}[KNAME"))
    }

    @Test("there is no progress message if standard error is not a terminal")
    func silence() async throws {
        let gate = Gate()
        let server = try ScriptedServer { _ in
            gate.wait()
            return .reply("200 OK", #"{"salons":[]}"#)
        }
        let cli = try CommandLineClient(["--base-url", server.url])
        let child = try cli.start(["salons"])
        await gate.waitForArrival()
        // No output is expected, so this waits until the deadline.
        #expect(await child.isSilent(milliseconds: 1_500))
        gate.open()
        let code = await child.exitCode()
        #expect(code == 0, "\(child.standardError())")
        #expect(child.standardError() == "no salons\n")
    }

    @Test(
        "a signal ends a command that waits for an answer, and nothing was changed",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func question(signal: Int32) async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let booked = try await cli.book("12:00", ["--json"]).object()
        let id = try booked.required("appointment").object().required("id").string()
        let terminal = try TerminalProcess(
            columns: 80,
            Binaries.novablend,
            cli.arguments(["cancel", id]),
            cli.environment
        )
        #expect(await terminal.shows("[y/N] "))
        terminal.signal(signal)
        let (shown, code) = await terminal.finish()
        #expect(code == 130 && shown.contains("interrupted"), "\(shown)")
        #expect(shown.contains("note: nothing was changed"), "\(shown)")
        #expect(try await cli.run("appointments").output.contains(id))
    }

    @Test("a signal ends a command that waits for a file")
    func file() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let fifo = cli.home.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let child = try cli.start(["salon", "put", fifo])
        // Returns when the command has opened the other end.
        let writer = await onThread { open(fifo, O_WRONLY) }
        defer { close(writer) }
        child.terminate()
        #expect(await child.hasEnded(withinSeconds: 60))
        #expect(child.standardError().contains("interrupted"), "\(child.standardError())")
    }
}
