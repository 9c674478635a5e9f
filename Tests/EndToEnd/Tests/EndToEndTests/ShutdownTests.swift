import Foundation
import SystemTestSupport
import Testing

@Suite("Shutdown and idling", .throttled, .timeLimit(.minutes(10)))
struct ShutdownTests {
    @Test("serve exits when its parent process ends, even if its input stays open")
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
        // The program can only watch its parent if the parent is still running when the program
        // starts.
        shell.send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n")
        #expect(await shell.line() != nil)
        let hasEnded = await ends(server) { shell.kill() }
        #expect(hasEnded)
    }

    @Test("serve exits when the process that initialize names as processId ends")
    func namedProcess() async throws {
        let editor = try ChildProcess("/bin/cat", [])
        let client = try Novablend([])
        _ = try await client.result("initialize", #"{"processId":\#(editor.processID)}"#)
        editor.endInput()
        #expect(await client.child.exitCode() == 0)
    }

    @Test("serve exits when the reader of its output closes the pipe")
    func brokenPipe() async throws {
        let client = try Novablend([])
        _ = try await client.result("cache/validate")
        client.child.closeOutput()
        client.send(1, "cache/validate", "{}")
        #expect(await client.child.exitCode() == 0)
    }

    @Test("an idle process gets no processor time: its context switches do not increase")
    func idle() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("salons/list")
        // The threads of the program may not be idle yet, so this is repeated a few times.
        for _ in 0..<20 {
            let before = try switches(of: client.child.processID)
            // No output is expected, so this waits until the deadline.
            #expect(await client.child.isSilent(milliseconds: 500))
            if try switches(of: client.child.processID) == before { return }
        }
        Issue.record("it ran in each of twenty half seconds")
    }

    /// The counts of voluntary and involuntary context switches of each thread of a process.
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
    private func ends(_ process: Int32, _ action: @Sendable () -> Void) async -> Bool {
        let descriptor = open("/proc/\(process)", O_RDONLY | O_DIRECTORY)
        guard descriptor >= 0 else { return false }
        action()
        return await onThread {
            defer { close(descriptor) }
            // The directory in /proc is empty once the process has ended.
            let deadline = Date(timeIntervalSinceNow: 60)
            while Date() < deadline {
                if faccessat(descriptor, "status", F_OK, 0) != 0 { return true }
                sched_yield()
            }
            return false
        }
    }
}
