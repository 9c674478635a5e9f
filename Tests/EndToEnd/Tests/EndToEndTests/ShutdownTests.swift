import Foundation
import Testing

@Suite("How the server ends, and rests", .throttled, .timeLimit(.minutes(10)))
struct ShutdownTests {
    @Test("the end of the process that started it ends it, although its input stays open")
    func parent() async throws {
        let directory = try TemporaryDirectory()
        let script = """
            exec 3<&0
            "\(Binaries.novablend)" serve --cache-dir "$0" --state-dir "$0" <&3 2>/dev/null &
            echo "$!"
            wait
            """
        let shell = try ChildProcess("/bin/sh", ["-c", script, directory.path])
        let server = try #require(await shell.line().flatMap { Int32($0) })
        // It can only watch a parent that still lives when it starts.
        shell.send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n")
        #expect(await shell.line() != nil)
        let end = await ended(server) { shell.kill() }
        #expect(end)
    }

    @Test("the end of the process that the editor named ends it")
    func namedProcess() async throws {
        let editor = try ChildProcess("/bin/cat", [])
        let client = try Novablend([])
        _ = try await client.result("initialize", #"{"processId":\#(editor.processID)}"#)
        editor.endInput()
        #expect(await client.child.exitCode() == 0)
    }

    @Test("when nobody reads any more it ends, and a request under way does not hold it")
    func brokenPipe() async throws {
        let client = try Novablend([])
        _ = try await client.result("cache/validate")
        client.child.closeOutput()
        client.send(1, "cache/validate", "{}")
        #expect(await client.child.exitCode() == 0)
    }

    @Test("a server that has nothing to do is not run by the system even once")
    func idle() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("salons/list")
        // Its threads may still be on their way to rest, so it has a few tries.
        for _ in 0..<20 {
            let before = try switches(of: client.child.processID)
            // Nothing is expected here: the wait ends by its deadline.
            #expect(await client.child.isSilent(milliseconds: 500))
            if try switches(of: client.child.processID) == before { return }
        }
        Issue.record("it was run in every one of twenty half seconds")
    }

    /// How often the threads of a process have been given up or taken off a processor.
    private func switches(of process: Int32) throws -> [String: String] {
        var found: [String: String] = [:]
        let folder = "/proc/\(process)/task"
        for task in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let status = try String(contentsOfFile: "\(folder)/\(task)/status", encoding: .utf8)
            found[task] = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
                .joined(separator: " ")
        }
        return found
    }

    /// Whether a process that is not our child ends after `action`.
    private func ended(_ process: Int32, _ action: @Sendable () -> Void) async -> Bool {
        let descriptor = open("/proc/\(process)", O_RDONLY | O_DIRECTORY)
        guard descriptor >= 0 else { return false }
        action()
        return await onNewThread {
            defer { close(descriptor) }
            // The folder of a process that has ended cannot be read any more.
            let deadline = Date(timeIntervalSinceNow: 30)
            while Date() < deadline {
                if faccessat(descriptor, "status", F_OK, 0) != 0 { return true }
                sched_yield()
            }
            return false
        }
    }
}
