import Foundation
import Glibc
import HTTPServing
import SystemTestSupport
import Testing

@Suite("Slow clients of the HTTP server", .timeLimit(.minutes(10)))
struct DeadlineTests {
    /// A server with one short timeout.
    private func start(_ timeout: WritableKeyPath<ServerLimits, Duration>) throws -> HTTPServer {
        var limits = ServerLimits()
        limits.threads = 1
        limits[keyPath: timeout] = .milliseconds(200)
        return try HTTPServer(limits: limits) { request in
            ServerResponse(status: 200, body: [UInt8](repeating: 97, count: 1 << 24))
        }
    }

    /// Sends one byte at a time until the server closes the connection. Returns false if it does
    /// not.
    private func isClosed(_ connection: TCPConnection, sending byte: String) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            var entry = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, 20) > 0 { return true }
            if !connection.send(byte) { return true }
        }
        return false
    }

    @Test(
        "a header that arrives byte by byte is not awaited forever",
        arguments: ["", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: "]
    )
    func slowHeader(beginning: String) throws {
        let server = try start(\.headerTimeout)
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send(beginning)
        #expect(isClosed(connection, sending: "a"))
        #expect(connection.remainder().isEmpty)
    }

    @Test("a later header that arrives byte by byte is not awaited forever")
    func slowLaterHeader() throws {
        let server = try start(\.headerTimeout)
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nX: ")
        #expect(connection.head()?.hasPrefix("HTTP/1.1 200") == true)
        #expect(isClosed(connection, sending: "a"))
    }

    @Test("a body that arrives byte by byte is not awaited forever")
    func slowBody() throws {
        let server = try start(\.bodyTimeout)
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n")
        #expect(isClosed(connection, sending: "a"))
    }

    @Test("a connection without a next request is closed")
    func idle() throws {
        let server = try start(\.idleTimeout)
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(connection.head()?.hasPrefix("HTTP/1.1 200") == true)
        #expect(connection.remainder().isEmpty)
    }

    @Test("a client that does not read its response is disconnected")
    func noReading() throws {
        var limits = ServerLimits()
        limits.sendTimeout = .milliseconds(200)
        let server = try HTTPServer(limits: limits) { _ in
            ServerResponse(status: 200, body: [UInt8](repeating: 97, count: 100_000))
        }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        let requests = String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 1_000)
        // The buffers of both sockets fill, and then the server closes the connection.
        #expect(!sendUntilClosed(connection, requests))
    }

    /// Returns false when the server has closed the connection.
    private func sendUntilClosed(_ connection: TCPConnection, _ text: String) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            var entry = pollfd(fd: connection.descriptor, events: Int16(POLLOUT), revents: 0)
            let count = poll(&entry, 1, 20)
            if entry.revents & Int16(POLLHUP | POLLERR) != 0 { return false }
            if count > 0, !connection.sendWithoutBlocking(text) { return false }
        }
        return true
    }

    @Test("1,500 clients with incomplete headers do not delay another client")
    func slowloris() throws {
        DescriptorLimit.raise()
        let server = try HTTPServer { _ in ServerResponse(status: 200) }
        defer { server.stop() }
        let slow = try (0..<1_500).map { _ in
            let connection = try TCPConnection(port: server.port)
            connection.send("GET / HTTP/1.1\r\nX: ")
            return connection
        }
        let connection = try TCPConnection(port: server.port)
        connection.get("/")
        #expect(connection.response()?.status == 200)
        #expect(slow.count == 1_500)
    }
}
