import Foundation
import Testing

@Suite("Commands on a terminal", .throttled, .timeLimit(.minutes(10)))
struct TerminalTests {
    @Test("a table is truncated to the width of the terminal", arguments: [UInt16(40), 100])
    func width(columns: UInt16) async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let terminal = try Pseudoterminal(
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
        let terminal = try Pseudoterminal(
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
}
