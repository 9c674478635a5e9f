import HTTPServing
import Synchronization
import SystemTestSupport
import Testing

@Suite("Bodies of requests", .timeLimit(.minutes(2)))
struct BodyTests {
    private static func head(length: Int, _ fields: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: h\r\n\(fields)Content-Length: \(length)\r\n\r\n"
    }

    @Test("a handler rejects a request before any of its body was sent")
    func rejected() throws {
        let server = try HTTPServer { _ in ServerResponse(status: 401) }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send(Self.head(length: 5, "Expect: 100-continue\r\n"))
        let response = try #require(connection.response())
        #expect(response.status == 401 && response.field("connection") == "close")
        #expect(connection.remainder().isEmpty)
    }

    @Test("the rest of a rejected request is received, and the next one is answered")
    func next() throws {
        let server = try HTTPServer { ServerResponse(status: $0.path == "/next" ? 200 : 401) }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send(Self.head(length: 5) + "abcde" + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(connection.response()?.status == 401)
        #expect(connection.response()?.status == 200)
    }

    @Test(
        "a handler that waits before it asks for the body gets the body",
        arguments: [true, false]
    )
    func waiting(isChunked: Bool) async throws {
        let (release, releaser) = AsyncStream.makeStream(of: Void.self)
        let (states, state) = AsyncStream.makeStream(of: Void.self)
        let server = try HTTPServer { request in
            state.yield()
            for await _ in release { break }
            return ServerResponse(status: 200, body: await request.receivingBody()?.body ?? [])
        }
        defer { server.stop() }
        var iterator = states.makeAsyncIterator()
        let connection = try TCPConnection(port: server.port)
        for (text, isEarly) in [("abc", false), ("def", true)] {
            let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            connection.send(isChunked ? head : Self.head(length: 3))
            await iterator.next()
            let body = isChunked ? "3\r\n\(text)\r\n0\r\n\r\n" : text
            if isEarly { connection.send(body) }
            releaser.yield()
            if !isEarly { connection.send(body) }
            #expect(connection.response()?.text == text)
            if isChunked { break }
        }
    }

    /// A server whose handler waits for the body. The stream gets nil when the handler has started,
    /// and then whether it has received the body.
    private static func recordingServer(
        _ limits: ServerLimits = ServerLimits()
    ) throws -> (HTTPServer, AsyncStream<Bool?>) {
        let (bodies, body) = AsyncStream.makeStream(of: Bool?.self)
        let server = try HTTPServer(limits: limits) { request in
            body.yield(nil)
            body.yield(await request.receivingBody() != nil)
            return ServerResponse(status: 200)
        }
        return (server, bodies)
    }

    @Test("a handler finishes without a body if the client disconnects before it has sent it")
    func disconnected() async throws {
        let (server, bodies) = try Self.recordingServer()
        defer { server.stop() }
        var iterator = bodies.makeAsyncIterator()
        do {
            let connection = try TCPConnection(port: server.port)
            connection.send(Self.head(length: 3))
            #expect(await iterator.next() == .some(nil))
            withExtendedLifetime(connection) {}
        }
        #expect(await iterator.next() == false)
    }

    @Test(
        "a handler finishes without a body if its last bytes and the disconnection arrive at once"
    )
    func incomplete() async throws {
        var limits = ServerLimits()
        limits.bodyTimeout = .milliseconds(50)
        let (server, bodies) = try Self.recordingServer(limits)
        defer { server.stop() }
        var iterator = bodies.makeAsyncIterator()
        do {
            let connection = try TCPConnection(port: server.port)
            connection.send(Self.head(length: 3) + "ab")
        }
        #expect(await iterator.next() == .some(nil))
        #expect(await iterator.next() == false)
    }

    @Test("a handler finishes without a body that is larger than it said")
    func tooLarge() async throws {
        let (server, bodies) = try Self.recordingServer()
        defer { server.stop() }
        var iterator = bodies.makeAsyncIterator()
        let connection = try TCPConnection(port: server.port)
        let chunk = "10001\r\n" + String(repeating: "a", count: 65_537) + "\r\n0\r\n\r\n"
        connection.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
        #expect(connection.response()?.status == 413)
        #expect(await iterator.next() == .some(nil))
        #expect(await iterator.next() == false)
    }

    @Test("a server that stops ends a request whose body does not arrive")
    func stopped() async throws {
        var limits = ServerLimits()
        limits.drainTimeout = .milliseconds(50)
        let (server, bodies) = try Self.recordingServer(limits)
        var iterator = bodies.makeAsyncIterator()
        let connection = try TCPConnection(port: server.port)
        connection.send(Self.head(length: 3) + "ab")
        #expect(await iterator.next() == .some(nil))
        server.stop()
        #expect(await iterator.next() == false)
    }
}
