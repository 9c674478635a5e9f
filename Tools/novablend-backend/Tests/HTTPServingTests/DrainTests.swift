import Foundation
import HTTPServing
import Synchronization
import SystemTestSupport
import Testing

@Suite("Stopping the HTTP server", .timeLimit(.minutes(10)))
struct DrainTests {
    @Test("all requests that were sent before are answered, even on connections not yet accepted")
    func queued() throws {
        var limits = ServerLimits()
        limits.threads = 1
        // These limits must not end before the last request is answered, even on a slow machine.
        (limits.drainTimeout, limits.headerTimeout) = (.seconds(300), .seconds(300))
        let entered = DispatchSemaphore(value: 0)
        let server = try HTTPServer(limits: limits) { request in
            entered.signal()
            return ServerResponse(status: 200, body: await request.receivingBody()?.body ?? [])
        }
        let connections = try (0..<300).map { index in
            let connection = try TCPConnection(port: server.port)
            connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n\(index + 100)")
            return connection
        }
        entered.wait()
        server.stop()
        for (index, connection) in connections.enumerated() {
            #expect(connection.response()?.text == "\(index + 100)")
        }
    }

    @Test("connections for which there is no room are answered with 503, not reset")
    func overloaded() async throws {
        let (release, releaser) = AsyncStream.makeStream(of: Void.self)
        var limits = ServerLimits()
        limits.maximumConnections = 1
        let started = DispatchSemaphore(value: 0)
        let server = try HTTPServer(limits: limits) { _ in
            started.signal()
            for await _ in release { break }
            return ServerResponse(status: 200)
        }
        let busy = try TCPConnection(port: server.port)
        busy.get("/")
        started.wait()
        let waiting = try (0..<3).map { _ in
            let connection = try TCPConnection(port: server.port)
            connection.get("/")
            return connection
        }
        let stopped = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            server.stop()
            stopped.signal()
        }
        for connection in waiting { #expect(connection.response()?.status == 503) }
        // The one that is served may have ended already, because stopping cancels its handler.
        #expect(server.connections.accepted == 1)
        #expect(server.connections.rejected == 3)
        releaser.finish()
        #expect(busy.response()?.status == 200)
        stopped.wait()
    }

    @Test("each request that a handler has seen is answered on connections that stay open")
    func keptConnections() async throws {
        for _ in 0..<10 {
            let handled = Mutex(0)
            let server = try HTTPServer { _ in
                handled.withLock { $0 += 1 }
                // The connection is suspended.
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume() }
                }
                return ServerResponse(status: 200)
            }
            let answered = Mutex(0)
            let started = DispatchSemaphore(value: 0)
            let finished = DispatchGroup()
            for _ in 0..<16 {
                finished.enter()
                Thread.detachNewThread {
                    defer { finished.leave() }
                    guard let connection = try? TCPConnection(port: server.port) else { return }
                    connection.get("/")
                    while connection.response()?.status == 200 {
                        answered.withLock { $0 += 1 }
                        started.signal()
                        connection.get("/")
                    }
                }
            }
            for _ in 0..<100 { started.wait() }
            server.stop()
            finished.wait()
            #expect(handled.withLock(\.self) == answered.withLock(\.self))
        }
    }

    @Test("each request that a handler has seen is answered while 32 clients keep sending")
    func concurrentClients() async throws {
        let handled = Mutex(Set<String>())
        let server = try HTTPServer { request in
            handled.withLock { _ = $0.insert(request.path) }
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume() }
            }
            return ServerResponse(status: 200, body: Array(request.path.utf8))
        }
        let answered = Mutex(Set<String>())
        let started = DispatchSemaphore(value: 0)
        let finished = DispatchGroup()
        for client in 0..<32 {
            finished.enter()
            Thread.detachNewThread {
                defer { finished.leave() }
                for index in 0..<10_000 {
                    let path = "/\(client)/\(index)"
                    guard let connection = try? TCPConnection(port: server.port) else { return }
                    connection.get(path)
                    let response = connection.response()
                    if response?.text == path { answered.withLock { _ = $0.insert(path) } }
                    started.signal()
                }
            }
        }
        for _ in 0..<200 { started.wait() }
        server.stop()
        finished.wait()
        let missing = handled.withLock { $0 }.subtracting(answered.withLock { $0 })
        #expect(missing.isEmpty)
        #expect(answered.withLock { $0.count } >= 200)
    }

    @Test("responses say that the connection closes, and idle connections close at once")
    func closing() async throws {
        let (release, releaser) = AsyncStream.makeStream(of: Void.self)
        let (states, state) = AsyncStream.makeStream(of: Void.self)
        var limits = ServerLimits()
        // Only the stop closes the idle connection, even if this test has to wait for a thread.
        limits.idleTimeout = .seconds(3_600)
        let server = try HTTPServer(limits: limits) { request in
            state.yield()
            if request.path == "/waits" { for await _ in release { break } }
            return ServerResponse(status: 200)
        }
        let idle = try TCPConnection(port: server.port)
        idle.get("/")
        #expect(idle.response()?.field("connection") == nil)
        let waiting = try TCPConnection(port: server.port)
        waiting.get("/waits")
        var iterator = states.makeAsyncIterator()
        for _ in 0..<2 { await iterator.next() }
        let stopped = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            server.stop()
            stopped.signal()
        }
        #expect(idle.remainder().isEmpty)
        releaser.finish()
        #expect(waiting.response()?.field("connection") == "close")
        #expect(waiting.remainder().isEmpty)
        stopped.wait()
    }

    @Test("a handler that does not finish in time is answered with 503")
    func deadline() async throws {
        let (release, releaser) = AsyncStream.makeStream(of: Void.self)
        var limits = ServerLimits()
        limits.drainTimeout = .milliseconds(100)
        let started = DispatchSemaphore(value: 0)
        let server = try HTTPServer(limits: limits) { _ in
            started.signal()
            // The wait ignores that the handler is cancelled.
            await Task.detached { for await _ in release { break } }.value
            return ServerResponse(status: 200)
        }
        let connection = try TCPConnection(port: server.port)
        connection.get("/")
        started.wait()
        server.stop()
        #expect(connection.response()?.status == 503)
        releaser.finish()
    }

    @Test("a handler that blocks does not keep the server from stopping")
    func blocked() throws {
        var limits = ServerLimits()
        limits.drainTimeout = .milliseconds(100)
        let (started, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try HTTPServer(limits: limits) { _ in
            started.signal()
            release.wait()
            return ServerResponse(status: 200)
        }
        let connection = try TCPConnection(port: server.port)
        connection.get("/")
        started.wait()
        server.stop()
        release.signal()
    }
}
