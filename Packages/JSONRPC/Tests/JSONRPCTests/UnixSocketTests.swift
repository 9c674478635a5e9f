import Foundation
import JSON
import JSONRPC
import SystemSupport
import Testing

@Suite("A server on a Unix socket", .timeLimit(.minutes(10)))
final class UnixSocketTests: Sendable {
    private let path = "/tmp/jsonrpc-\(UUID().uuidString)"

    deinit { unlink(path) }

    /// Starts a server for the test methods.
    private func serve(_ gate: Gate) throws -> (UnixSocketListener, Task<Void, Never>) {
        let listener = try UnixSocketListener(path: path)
        let running = Task {
            await listener.run { transport in
                let info = ServerInfo(name: "test", version: "1")
                Connection(over: transport, table: TestMethods.make(gate), info: info).start()
            }
        }
        return (listener, running)
    }

    private func connect() throws -> Connection {
        let connection = Connection(over: try Transport.connect(toSocket: path), framing: .lines)
        connection.start()
        return connection
    }

    @Test("serves several connections at the same time")
    func connections() async throws {
        let gate = Gate()
        let (listener, running) = try serve(gate)
        let (first, second) = (try connect(), try connect())
        async let waited = first.peer.call("wait")
        await gate.arrival()
        #expect(try await second.peer.call("ping").isNull)
        listener.stop()
        await running.value
        // The connections continue.
        gate.open()
        #expect(try await waited.string() == "waited")
        #expect(try await second.peer.call("ping").isNull)
        first.stop()
        second.stop()
    }

    @Test("creates a file that only its user can access, and deletes it at the end")
    func file() async throws {
        let (_, running) = try serve(Gate())
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        running.cancel()
        await running.value
        #expect(lstat(path, &status) != 0)
        #expect(throws: SystemError(code: ENOENT)) { try connect() }
    }

    @Test("replaces the socket of a server that was killed")
    func stale() async throws {
        try leaveSocket()
        #expect(throws: SystemError(code: ECONNREFUSED)) { try connect() }
        let (listener, running) = try serve(Gate())
        let client = try connect()
        #expect(try await client.peer.call("ping").isNull)
        client.stop()
        listener.stop()
        await running.value
    }

    @Test("replaces neither the socket of a running server nor any other file")
    func occupied() async throws {
        let (listener, running) = try serve(Gate())
        let occupied = SystemError(code: EADDRINUSE)
        #expect(throws: occupied) { try UnixSocketListener(path: path) }
        #expect(try await connect().peer.call("ping").isNull)
        listener.stop()
        await running.value
        try Data("text".utf8).write(to: URL(filePath: path))
        #expect(throws: occupied) { try UnixSocketListener(path: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
    }

    @Test("does not delete the file of a different server")
    func replaced() async throws {
        let (listener, running) = try serve(Gate())
        let moved = path + ".moved"
        defer { unlink(moved) }
        #expect(rename(path, moved) == 0)
        let (second, secondRun) = try serve(Gate())
        listener.stop()
        await running.value
        #expect(try await connect().peer.call("ping").isNull)
        second.stop()
        await secondRun.value
    }

    @Test("needs a path of at most 107 bytes, in an existing directory")
    func paths() throws {
        let long = "/tmp/" + String(repeating: "x", count: 103)
        let tooLong = SystemError(code: ENAMETOOLONG)
        #expect(throws: tooLong) { try UnixSocketListener(path: long) }
        #expect(throws: tooLong) { try Transport.connect(toSocket: long) }
        let longest = String(long.dropLast())
        defer { unlink(longest) }
        #expect(try UnixSocketListener(path: longest).path == longest)
        #expect(throws: SystemError(code: ENOENT)) {
            try UnixSocketListener(path: "/no/such/directory/socket")
        }
    }

    /// Leaves the file of a socket to which no process listens.
    private func leaveSocket() throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0)
    }
}
