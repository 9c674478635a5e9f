import Glibc
import HTTPServing
import Synchronization
import SystemTestSupport
import Testing

@Suite("The HTTP server at its limit of connections", .timeLimit(.minutes(10)))
struct AdmissionTests {
    private func limits(_ connections: Int) -> ServerLimits {
        var limits = ServerLimits()
        limits.maximumConnections = connections
        limits.admissionTimeout = .milliseconds(100)
        limits.overloadTimeout = .milliseconds(500)
        return limits
    }

    @Test("a connection that waits for a request is closed in favor of a new one")
    func idle() throws {
        var limits = limits(2)
        // The second one never waits that long.
        limits.admissionTimeout = .seconds(60)
        let server = try HTTPServer(limits: limits) { _ in ServerResponse(status: 200) }
        defer { server.stop() }
        let first = try TCPConnection(port: server.port)
        let second = try TCPConnection(port: server.port)
        first.get("/")
        #expect(first.response()?.status == 200)
        let third = try TCPConnection(port: server.port)
        third.get("/")
        #expect(third.response()?.status == 200)
        // The first has waited longest.
        #expect(first.remainder().isEmpty)
        second.get("/")
        #expect(second.response()?.status == 200)
    }

    @Test("clients that send nothing or incomplete headers do not lock others out")
    func silent() throws {
        let server = try HTTPServer(limits: limits(8)) { _ in ServerResponse(status: 200) }
        defer { server.stop() }
        let silent = try (0..<40).map { _ in
            let connection = try TCPConnection(port: server.port)
            connection.send("GET / HTTP/1.1\r\n")
            return connection
        }
        let connection = try TCPConnection(port: server.port)
        connection.get("/")
        #expect(connection.response()?.status == 200)
        #expect(silent.count == 40)
    }

    @Test("if all connections are busy, new ones are answered with 503, and later served again")
    func busy() async throws {
        let (release, releaser) = AsyncStream.makeStream(of: Void.self)
        let messages = Mutex([String]())
        let server = try HTTPServer(
            limits: limits(2),
            log: { message in messages.withLock { $0.append(message) } },
            handler: { request in
                if request.path == "/waits" { for await _ in release { break } }
                return ServerResponse(status: 200)
            }
        )
        defer { server.stop() }
        let busy = try (0..<2).map { _ in
            let connection = try TCPConnection(port: server.port)
            connection.get("/waits")
            return connection
        }
        let rejected = try (0..<5).map { _ in try TCPConnection(port: server.port) }
        for connection in rejected {
            let response = connection.response()
            #expect(response?.status == 503 && response?.field("retry-after") == "1")
            #expect(response?.field("content-type") == "application/json")
            #expect(response?.field("cache-control") == "no-store")
        }
        #expect(messages.withLock { $0.count } == 1)
        releaser.finish()
        for connection in busy { #expect(connection.response()?.status == 200) }
        let next = try TCPConnection(port: server.port)
        next.get("/")
        #expect(next.response()?.status == 200)
    }

    @Test("each of 1,000 clients at a limit of 16 connections is answered")
    func crowd() throws {
        let server = try HTTPServer(limits: limits(16)) { _ in ServerResponse(status: 200) }
        defer { server.stop() }
        let answered = try (0..<1_000).count { _ in
            let connection = try TCPConnection(port: server.port)
            connection.get("/")
            return connection.response()?.status == 200
        }
        #expect(answered == 1_000)
    }

    @Test("without free descriptors, waiting connections are closed, and others are served")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let server = try HTTPServer { _ in ServerResponse(status: 200) }
            // The clients are in this process, too, so they are opened before the limit.
            let clients = (0..<40).map { _ in TCPConnection() }
            var limit = rlimit(rlim_cur: rlim_t(dup(0) + 8), rlim_max: 4_096)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            for client in clients {
                try client.connect(port: server.port)
                client.get("/")
                #expect(client.response()?.status == 200)
            }
            server.stop()
        }
    }
}
