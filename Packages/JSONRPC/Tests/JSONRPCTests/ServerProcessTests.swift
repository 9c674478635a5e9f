import Foundation
import JSON
import SystemSupport
import Testing

@testable import JSONRPC

@Suite("A server in its own process", .timeLimit(.minutes(10)))
struct ServerProcessTests {
    private let ready = Gate()

    /// Connects to a program. The program can notify `ready`, and call `ping`.
    private func start(
        _ words: String...,
        environment: [String: String]? = nil,
        errors: ProcessSpawner.Stream = .null
    ) throws -> ServerProcess {
        let result = Method.Result("result", "null")
        let notified = Method("ready", "opens the gate", result: result) {
            [ready] _ in
            ready.open()
            return .null
        }
        let ping = Method("ping", "returns null", result: result) { _ in .null }
        return try ServerProcess(words, environment: environment, errors: errors) {
            Connection(over: $0, table: MethodTable([notified, ping]), framing: .lines)
        }
    }

    @Test("is called, and exits when its input ends")
    func call() async throws {
        // It returns the call to this process, and then the response of this process.
        let process = try start("cat")
        #expect(try await process.connection.peer.call("ping").isNull)
        #expect(await process.stop() == .exited(code: 0))
        await #expect(throws: RPCError.connectionEnded) {
            try await process.connection.peer.call("ping")
        }
    }

    @Test("receives everything that was sent before it is stopped")
    func lastMessages() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let process = try start("sh", "-c", "cat > \(path)")
        // More than the socket holds.
        let params = JSONFragment.object {
            $0.member("text", String(repeating: "x", count: 1 << 20))
        }
        for _ in 0..<3 { process.connection.peer.notify("note", params) }
        process.connection.peer.notify("exit")
        #expect(await process.stop(gracePeriod: .seconds(60)) == .exited(code: 0))
        let received = try #require(FileManager.default.contents(atPath: path))
        #expect(received.count > 3 << 20)
        #expect(received.suffix(17) == Data("\"method\":\"exit\"}\n".utf8))
    }

    @Test("gets SIGTERM if it ignores the end of its input, and SIGKILL if it ignores that, too")
    func signals() async throws {
        let grace = Duration.milliseconds(20)
        #expect(try await start("sleep", "1000").stop(gracePeriod: grace) == .signaled(SIGTERM))
        let notification = #"{"jsonrpc":"2.0","method":"ready"}"#
        let script = "trap '' TERM; echo '\(notification)'; while :; do sleep 1; done"
        let stubborn = try start("sh", "-c", script)
        await ready.wait()
        #expect(await stubborn.stop(gracePeriod: grace) == .signaled(SIGKILL))
    }

    @Test("gets the signals immediately if the task that stops it is cancelled")
    func cancelledStop() async throws {
        let process = try start("sleep", "1000")
        let stopping = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await process.stop(gracePeriod: .seconds(1000))
        }
        let status = await stopping.value
        #expect(status == .signaled(SIGTERM) || status == .signaled(SIGKILL))
    }

    @Test("may exit by itself: its status is reported, and waiting calls fail")
    func earlyExit() async throws {
        let process = try start("sh", "-c", "read line; exit $CODE", environment: ["CODE": "7"])
        await #expect(throws: RPCError.connectionEnded) {
            try await process.connection.peer.call("anything")
        }
        #expect(await process.exitStatus() == .exited(code: 7))
        #expect(await process.stop() == .exited(code: 7))
    }

    @Test("writes its errors where the caller says")
    func errors() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = ProcessSpawner.Stream.file(path, flags: O_WRONLY | O_CREAT)
        let process = try start("sh", "-c", "echo problem >&2", errors: file)
        #expect(await process.exitStatus() == .exited(code: 0))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "problem\n")
    }

    @Test("cannot be started if there is no such program")
    func missing() {
        #expect(throws: SystemError(code: ENOENT)) { try start("/no/such/program") }
    }

    @Test("loses its input if the object is released")
    func released() async throws {
        var process: ServerProcess? = try start("cat")
        let id = try #require(process?.id)
        process = nil
        await withCheckedContinuation { continuation in
            ProcessWatch.onExit(of: id) { continuation.resume() }
        }
    }
}
