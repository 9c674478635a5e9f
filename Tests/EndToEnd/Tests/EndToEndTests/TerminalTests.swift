import Foundation
import Testing

@Suite("A command on a terminal", .fewAtOnce, .timeLimit(.minutes(10)))
struct TerminalTests {
    @Test("cuts a table to the width of the terminal", arguments: [UInt16(40), 100])
    func width(columns: UInt16) async throws {
        let line = try CommandLine(try await BackendProcess())
        let terminal = try Pseudoterminal(
            columns: columns,
            Binaries.novablend,
            line.arguments(["salons"]),
            line.environment
        )
        let (shown, code) = await terminal.end()
        let lines = shown.split(separator: "\r\n")
        #expect(code == 0 && lines.count == 7 && shown.contains("…"))
        #expect(lines.allSatisfy { $0.count <= Int(columns) })
        #expect(lines.contains { $0.count == Int(columns) })
    }

    @Test("tells from the first second on what it waits for, and erases that")
    func progress() async throws {
        let held = DispatchSemaphore(value: 0)
        let remote = try ScriptedRemote { _ in
            held.wait()
            return .reply("200 OK", ZonedSalons.list(["Europe/Berlin"]))
        }
        let line = try CommandLine(["--base-url", remote.url])
        let terminal = try Pseudoterminal(
            columns: 80,
            Binaries.novablend,
            line.arguments(["salons"]),
            line.environment
        )
        #expect(await terminal.waits(for: "asking the remote, 1 s"))
        held.signal()
        let (shown, code) = await terminal.end()
        #expect(code == 0 && shown.contains("\r\u{1B}[KNAME"))
    }

    @Test("shows no progress where nobody sees it")
    func silence() async throws {
        let (came, comes) = AsyncStream.makeStream(of: Void.self)
        let held = DispatchSemaphore(value: 0)
        let remote = try ScriptedRemote { _ in
            comes.yield()
            held.wait()
            return .reply("200 OK", #"{"salons":[]}"#)
        }
        let line = try CommandLine(["--base-url", remote.url])
        let child = try line.start(["salons"])
        for await _ in came { break }
        // Nothing is expected here: the wait ends by its deadline.
        #expect(await child.isSilent(milliseconds: 1_500))
        held.signal()
        let code = await child.exitCode()
        #expect(code == 0, "\(child.said())")
        #expect(child.said() == "no salons\n")
    }
}
