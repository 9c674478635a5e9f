import Foundation
import HTTPServing
import SystemTestSupport
import Testing

@Suite("Handlers of the HTTP server", .timeLimit(.minutes(10)))
struct HandlerTests {
    private func start(_ handler: @escaping HTTPServer.Handler) throws -> HTTPServer {
        try HTTPServer(handler: handler)
    }

    @Test("a handler gets all header fields, the first value of each query parameter, and the body")
    func request() throws {
        let server = try start { request in
            let body = await request.receivingBody()?.body ?? []
            let values = [
                request.method, request.path, request.headers["x-one"] ?? "",
                request.headers.values(of: "X-TWO").joined(separator: "+"),
                request.query["a"] ?? "none", request.query["b"] ?? "none",
                request.query["A"] ?? "none", String(decoding: body, as: UTF8.self),
                request.baseURL,
            ]
            return ServerResponse(status: 200, body: Array(values.joined(separator: "|").utf8))
        }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send(
            """
            PUT /p%20q?b=1&a=%C3%A4&b=2 HTTP/1.1\r\nHost: h:1\r\nX-One: 1\r\nx-two: 2\r\n\
            X-Two: 3\r\nContent-Length: 4\r\n\r\nbody
            """
        )
        let body = try #require(connection.response()).text
        #expect(body == "PUT|/p q|1|2+3|ä|1|none|body|http://h:1")
    }

    @Test("while a handler waits, the only server thread serves other connections")
    func suspended() async throws {
        let (release, releaser) = AsyncStream.makeStream(of: Void.self)
        var limits = ServerLimits()
        limits.threads = 1
        let server = try HTTPServer(limits: limits) { request in
            if request.path == "/waits" { for await _ in release { break } }
            return ServerResponse(status: 200, body: Array(request.path.utf8))
        }
        defer { server.stop() }
        let waiting = try TCPConnection(port: server.port)
        waiting.send("GET /waits HTTP/1.1\r\nHost: h\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\n")
        let other = try TCPConnection(port: server.port)
        for _ in 0..<2 {
            other.send("GET /other HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(other.response()?.text == "/other")
        }
        releaser.yield()
        #expect(waiting.response()?.text == "/waits")
        #expect(waiting.response()?.text == "/next")
    }

    @Test("each of 400 requests whose handlers wait for another thread is answered")
    func manyHandlers() async throws {
        let server = try start { request in
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume() }
            }
            return ServerResponse(status: 200, body: await request.receivingBody()?.body ?? [])
        }
        defer { server.stop() }
        let connections = try (0..<8).map { _ in try TCPConnection(port: server.port) }
        for round in 0..<50 {
            for (index, connection) in connections.enumerated() {
                let body = "\(round * 10 + index)"
                connection.send(
                    """
                    POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\
                    \(body)
                    """
                )
            }
            for (index, connection) in connections.enumerated() {
                #expect(connection.response()?.text == "\(round * 10 + index)")
            }
        }
    }

    @Test("a handler finishes even if the client has closed the connection meanwhile")
    func disconnected() async throws {
        let (release, releaser) = AsyncStream.makeStream(of: Void.self)
        let (states, state) = AsyncStream.makeStream(of: String.self)
        let server = try start { _ in
            state.yield("started")
            for await _ in release { break }
            state.yield("finished")
            return ServerResponse(status: 204)
        }
        defer { server.stop() }
        var iterator = states.makeAsyncIterator()
        do {
            let connection = try TCPConnection(port: server.port)
            connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await iterator.next() == "started")
        }
        releaser.yield()
        #expect(await iterator.next() == "finished")
    }

    /// A handler that reports that it has started, and waits until it is cancelled.
    private static func waitForCancellation(
        _ state: AsyncStream<String>.Continuation
    ) async -> ServerResponse {
        let (changes, change) = AsyncStream.makeStream(of: Never.self)
        state.yield("started")
        await withTaskCancellationHandler {
            for await _ in changes {}
        } onCancel: {
            change.finish()
        }
        state.yield("cancelled")
        return ServerResponse(status: 200, body: Array("end".utf8))
    }

    @Test(
        "a handler that waits is cancelled when its client disconnects, and no other one is",
        arguments: [true, false]
    )
    func cancelled(isReset: Bool) async throws {
        let (states, state) = AsyncStream.makeStream(of: String.self)
        let (otherStates, otherState) = AsyncStream.makeStream(of: String.self)
        let server = try start { request in
            await Self.waitForCancellation(request.path == "/other" ? otherState : state)
        }
        var (iterator, otherIterator) = (
            states.makeAsyncIterator(), otherStates.makeAsyncIterator()
        )
        let other = try TCPConnection(port: server.port)
        other.get("/other")
        #expect(await otherIterator.next() == "started")
        do {
            let connection = try TCPConnection(port: server.port)
            if isReset {
                var option = linger(l_onoff: 1, l_linger: 0)
                let size = socklen_t(MemoryLayout<linger>.size)
                setsockopt(connection.descriptor, SOL_SOCKET, SO_LINGER, &option, size)
            }
            connection.get("/")
            #expect(await iterator.next() == "started")
        }
        #expect(await iterator.next() == "cancelled")
        // The other handler is cancelled only now.
        otherState.yield("not cancelled before")
        server.stop()
        #expect(await otherIterator.next() == "not cancelled before")
        #expect(await otherIterator.next() == "cancelled")
        #expect(other.response()?.text == "end")
    }

    @Test("when the server stops, handlers that wait are cancelled and their responses are sent")
    func stopped() async throws {
        let (states, state) = AsyncStream.makeStream(of: String.self)
        let server = try start { _ in await Self.waitForCancellation(state) }
        var connections: [TCPConnection] = []
        var iterator = states.makeAsyncIterator()
        for _ in 0..<20 {
            let connection = try TCPConnection(port: server.port)
            connections.append(connection)
            connection.get("/")
            #expect(await iterator.next() == "started")
        }
        server.stop()
        for connection in connections {
            let response = connection.response()
            #expect(response?.text == "end" && response?.field("connection") == "close")
        }
    }
}
