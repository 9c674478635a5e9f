import Foundation
import Networking
import Synchronization
import SystemSupport
import SystemTestSupport
import Testing

/// Serialized, so that all suites together need fewer descriptors.
@Suite("Streamed responses", .serialized, .timeLimit(.minutes(10)))
struct ResponseStreamTests {
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Reads a whole body. Returns what arrived, and the error that ended it.
    private func read(_ stream: HTTPResponseStream) async -> ([UInt8], HTTPClientError?) {
        var body: [UInt8] = []
        do {
            for try await chunk in stream {
                #expect(!chunk.isEmpty)
                body += chunk
            }
            return (body, nil)
        } catch {
            return (body, error)
        }
    }

    /// A server that sends three of nine bytes and fires `closed` when the client closes.
    private func makeUnfinishedServer(_ closed: Signal) throws -> LoopbackServer {
        try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            exchange.waitForClose()
            closed.fire()
        }
    }

    private func failure(
        _ client: CurlHTTPClient,
        _ request: HTTPRequest
    ) async -> HTTPClientError? {
        do {
            return await read(try await client.stream(request)).1
        } catch {
            return error
        }
    }

    @Test("The head is returned before the body arrives, and each chunk as soon as it arrives")
    func order() async throws {
        let next = Semaphore()
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n")
            exchange.send("HTTP/1.1 203 X\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n\r\n")
            for text in ["1\r\na\r\n", "2\r\nbc\r\n", "0\r\n\r\n"] {
                next.wait()
                exchange.send(text)
            }
        }
        let stream = try await CurlHTTPClient().stream(
            HTTPRequest(method: .get, url: server.url + "/x")
        )
        #expect(stream.head.status == 203 && stream.head.headers["X-A"] == "b")
        #expect(stream.head.headers["Link"] == nil && stream.head.body.isEmpty)
        #expect(stream.head.url == server.url + "/x")
        var chunks = stream.makeAsyncIterator()
        next.signal()
        #expect(try await chunks.next() == Array("a".utf8))
        next.signal()
        #expect(try await chunks.next() == Array("bc".utf8))
        next.signal()
        #expect(try await chunks.next() == nil)
        #expect(try await chunks.next() == nil)
    }

    @Test(
        "A body of many megabytes arrives complete and in order",
        arguments: [0, 1, 65_536, 131_071, 131_072, 131_073, 9 << 20],
        [[:], ["Accept-Encoding": "Identity"]] as [HTTPHeaders]
    )
    func large(size: Int, headers: HTTPHeaders) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 251) }
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            exchange.send(body)
        }
        let client = CurlHTTPClient()
        for _ in 0..<3 {
            let (received, error) = await read(
                try await client.stream(
                    HTTPRequest(method: .get, url: server.url, headers: headers)
                )
            )
            #expect(received == body && error == nil)
        }
        #expect(server.accepted == 1)
    }

    @Test(
        "A slow reader makes an endless server wait, and memory stays bounded",
        arguments: [([:], 147_456), (["Accept-Encoding": "identity"], 262_144)]
            as [(HTTPHeaders, Int)]
    )
    func backpressure(headers: HTTPHeaders, largestChunk: Int) async throws {
        let blocked = Signal()
        let sent = Atomic<Int>(0)
        let server = try LoopbackServer { exchange in
            exchange.send(Self.chunkedHead)
            let chunk = Array(("1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n").utf8)
            exchange.sendForever(chunk, ifBlocked: blocked.fire) {
                sent.add(4_096, ordering: .relaxed)
            }
        }
        let client = CurlHTTPClient { $0.stallTimeout = .seconds(1) }
        let request = HTTPRequest(
            method: .get,
            url: server.url,
            headers: headers,
            maximumResponseBytes: .max
        )
        let stream = try await client.stream(request)
        var chunks = stream.makeAsyncIterator()
        var read = 0
        for _ in 0..<3 {
            await blocked.wait()
            let limit = sent.load(ordering: .relaxed)
            while read < limit, let chunk = try await chunks.next() {
                #expect(chunk.count <= largestChunk)
                read += chunk.count
            }
        }
        // The sockets of both sides have buffers of several megabytes.
        #expect(sent.load(ordering: .relaxed) - read < 32 << 20)
    }

    @Test("A paused stream does not delay other requests, also to the same server")
    func otherRequests() async throws {
        let server = try LoopbackServer { exchange in
            guard exchange.path == "/endless" else { return exchange.reply("200 OK") }
            exchange.send(Self.chunkedHead)
            while exchange.send("1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n") {}
        }
        let client = CurlHTTPClient()
        let stream = try await client.stream(
            HTTPRequest(method: .get, url: server.url + "/endless")
        )
        for _ in 0..<100 {
            #expect(try await client.send(HTTPRequest(method: .get, url: server.url)).status == 200)
        }
        #expect(stream.head.status == 200)
    }

    @Test("A stream is not a stall while its reader is busy, but when the server is silent")
    func stall() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            exchange.send([UInt8](repeating: 0, count: 500_000))
            exchange.waitForClose()
        }
        let client = CurlHTTPClient { $0.stallTimeout = .seconds(1) }
        let stream = try await client.stream(HTTPRequest(method: .get, url: server.url))
        // Longer than the timeout, since only time can show that none expires. While the buffer is
        // full, no time without data counts.
        try await Task.sleep(for: .seconds(3))
        let (body, error) = await read(stream)
        #expect(body.count == 500_000 && error?.reason == .timedOut(.stall))
    }

    @Test("The total timeout applies while the reader is busy, after the bytes that arrived")
    func total() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            exchange.send([UInt8](repeating: 0, count: 500_000))
            exchange.waitForClose()
        }
        let request = HTTPRequest(method: .get, url: server.url, totalTimeout: .seconds(1))
        let stream = try await CurlHTTPClient().stream(request)
        #expect(try await eventually { server.open == 0 })
        let (body, error) = await read(stream)
        #expect(error?.reason == .timedOut(.total) && error?.mayHaveBeenSent == true)
        #expect(!body.isEmpty && body.count < 500_000)
    }

    @Test(
        "The limit of the client applies unless the request has its own, smaller or larger",
        arguments: [(nil, 9, 9), (nil, 10, nil), (9, 100, 9), (100, 9, nil)] as [(Int?, Int, Int?)]
    )
    func size(own: Int?, overall: Int, limit: Int?) async throws {
        let server = try LoopbackServer { $0.reply("200 OK", body: "0123456789") }
        let client = CurlHTTPClient { $0.maximumBodyBytes = overall }
        let request = HTTPRequest(method: .get, url: server.url, maximumResponseBytes: own)
        #expect(await failure(client, request)?.reason == limit.map { .bodyTooLarge(limit: $0) })
    }

    @Test("An error in the middle of a body reaches the reader after the bytes, and only once")
    func lost() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            exchange.end()
        }
        let stream = try await CurlHTTPClient().stream(HTTPRequest(method: .get, url: server.url))
        let (body, error) = await read(stream)
        #expect(body == Array("abc".utf8))
        #expect(error?.reason == .connectionLost && error?.mayHaveBeenSent == true)
        let (rest, second) = await read(stream)
        #expect(rest.isEmpty && second == nil)
    }

    @Test("Without a response, the call throws", arguments: [true, false])
    func noResponse(isListening: Bool) async throws {
        let server = try LoopbackServer { $0.end() }
        let request = HTTPRequest(
            method: .get,
            url: isListening ? server.url : "http://127.0.0.1:1/"
        )
        await #expect(throws: HTTPClientError.self) { try await CurlHTTPClient().stream(request) }
    }

    @Test("A proxy's response to CONNECT is not the head of a stream")
    func proxy() async throws {
        let proxy = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 Connected\r\n\r\nnot TLS")
            exchange.end()
        }
        var configuration = CurlHTTPClient.Configuration()
        configuration.proxy = proxy.url
        let client = CurlHTTPClient(configuration: configuration)
        let error = await failure(client, HTTPRequest(method: .get, url: "https://a.test/"))
        #expect(error?.reason == .tls)
        #expect(proxy.requests.first?.hasPrefix("CONNECT a.test:443 ") == true)
    }

    @Test("Cancelling the reader while it waits for a chunk ends the transfer")
    func cancelled() async throws {
        let closed = Signal()
        let server = try makeUnfinishedServer(closed)
        let stream = try await CurlHTTPClient().stream(HTTPRequest(method: .get, url: server.url))
        let reading = Signal()
        let task = Task {
            var chunks = stream.makeAsyncIterator()
            _ = try await chunks.next()
            reading.fire()
            _ = try await chunks.next()
        }
        await reading.wait()
        task.cancel()
        let result = await task.result
        #expect(throws: HTTPClientError(.cancelled, mayHaveBeenSent: true)) { try result.get() }
        await closed.wait()
        let (rest, error) = await read(stream)
        #expect(rest.isEmpty && error == nil)
    }

    @Test("Reading in a cancelled task ends the transfer, which is reported once")
    func cancelledBefore() async throws {
        let closed = Signal()
        let server = try makeUnfinishedServer(closed)
        let stream = try await CurlHTTPClient().stream(HTTPRequest(method: .get, url: server.url))
        let (bytes, cancellation) = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await read(stream)
        }.value
        #expect(bytes.isEmpty)
        #expect(cancellation == HTTPClientError(.cancelled, mayHaveBeenSent: true))
        await closed.wait()
        let (rest, error) = await read(stream)
        #expect(rest.isEmpty && error == nil)
    }

    @Test("Releasing the stream ends the transfer", arguments: [true, false])
    func released(isPaused: Bool) async throws {
        let closed = Signal()
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\nabc")
            if isPaused { exchange.send([UInt8](repeating: 0, count: 8_000_000)) }
            exchange.waitForClose()
            closed.fire()
        }
        let client = CurlHTTPClient()
        for try await _ in try await client.stream(HTTPRequest(method: .get, url: server.url)) {
            break
        }
        await closed.wait()
        #expect(server.open <= 1)
    }

    @Test("Releasing the client does not end its streams, but closing it does")
    func client() async throws {
        let next = Semaphore()
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            next.wait()
            exchange.send("def")
            exchange.waitForClose()
        }
        var client: CurlHTTPClient? = CurlHTTPClient()
        let stream = try #require(
            try await client?.stream(HTTPRequest(method: .get, url: server.url))
        )
        weak let released = client
        client = nil
        var chunks = stream.makeAsyncIterator()
        #expect(try await chunks.next() == Array("abc".utf8))
        next.signal()
        #expect(try await chunks.next() == Array("def".utf8))
        released?.close()
        await #expect(throws: HTTPClientError(.closed, mayHaveBeenSent: true)) {
            try await chunks.next()
        }
    }

    @Test("A second task cannot read a stream that the first one waits for")
    func twoReaders() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
            exchange.waitForClose()
        }
        let stream = try await CurlHTTPClient().stream(HTTPRequest(method: .get, url: server.url))
        let reasons = await withTaskGroup(of: HTTPClientError?.self) { group in
            for _ in 0..<2 { group.addTask { await read(stream).1 } }
            let first = await group.next() ?? nil
            group.cancelAll()
            return [first?.reason, (await group.next() ?? nil)?.reason]
        }
        #expect(reasons == [.other, .cancelled])
    }

    @Test(
        "A stream uses HTTP/1.1 even if the server supports HTTP/2",
        .enabled(if: OpenSSL.isInstalled, "needs the command openssl")
    )
    func version() async throws {
        let authority = try await Authority()
        try await authority.issue()
        // This server prefers HTTP/2 in the handshake but speaks HTTP/1.1.
        let server = try await TLSServer(
            authority,
            response: TLSServer.ok,
            options: "-alpn h2,http/1.1"
        )
        var configuration = CurlHTTPClient.Configuration()
        configuration.certificateFile = authority.file
        let client = CurlHTTPClient(configuration: configuration)
        let (body, error) = await read(try await client.stream(server.request))
        #expect(body == Array("ok".utf8) && error == nil)
    }

    @Test("A redirect is followed before the body is streamed")
    func redirect() async throws {
        let server = try LoopbackServer { exchange in
            exchange.path == "/last"
                ? exchange.reply("200 OK", body: "last")
                : exchange.reply("302 Found", headers: ["Location: /last"], body: "moved")
        }
        let stream = try await CurlHTTPClient().stream(HTTPRequest(method: .get, url: server.url))
        let (body, error) = await read(stream)
        #expect(body == Array("last".utf8) && error == nil)
        #expect(stream.head.url == server.url + "/last")
    }

    @Test(
        "A redirect that is not followed ends the transfer",
        arguments: [("ftp://127.0.0.1/", 5), ("/again", 0)]
    )
    func rejectedRedirect(location: String, limit: Int) async throws {
        let closed = Signal()
        let server = try LoopbackServer { exchange in
            let length = "Content-Length: 9000000"
            exchange.send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\n\(length)\r\n\r\nabc")
            exchange.waitForClose()
            closed.fire()
        }
        let client = CurlHTTPClient {
            $0.maximumRedirects = limit
            $0.stallTimeout = .seconds(600)
        }
        let request = HTTPRequest(method: .get, url: server.url, totalTimeout: .seconds(600))
        let error = await failure(client, request)
        #expect(error?.reason == (limit == 0 ? .tooManyRedirects(limit: 0) : .redirectRejected))
        await closed.wait()
    }

    @Test("A stream leaves its connection for later requests, which are not affected by it")
    func connection() async throws {
        let server = try LoopbackServer { $0.reply("200 OK", body: $0.path) }
        let client = CurlHTTPClient()
        for number in 0..<20 {
            let request = HTTPRequest(method: .get, url: server.url + "/\(number)")
            let (body, error) = await read(try await client.stream(request))
            #expect(body == Array("/\(number)".utf8) && error == nil)
            #expect(try await client.send(request).text == "/\(number)")
        }
        #expect(server.accepted == 1)
    }

    @Test("Streams with readers that stop, are cancelled, or finish leak nothing")
    func leaks() async throws {
        let server = try LoopbackServer(isRecording: false) { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n")
            exchange.send([UInt8](repeating: 0, count: 300_000))
        }
        let client = CurlHTTPClient()
        let before = try Resources.descriptors()
        for round in 0..<8 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<25 {
                    group.addTask { await readPart(client, server.url, round * 25 + number) }
                }
            }
        }
        #expect(
            try await client.send(HTTPRequest(method: .get, url: server.url)).body.count == 300_000
        )
        client.close()
        #expect(try await eventually { server.open == 0 })
        #expect(try await eventually { try Resources.descriptors() <= before + 16 })
    }

    /// Reads 1 to 6 chunks of a response, or all. Every third task is cancelled.
    private func readPart(_ client: CurlHTTPClient, _ url: String, _ number: Int) async {
        let task = Task {
            var left = number % 7
            for try await _ in try await client.stream(HTTPRequest(method: .get, url: url)) {
                left -= 1
                if left == 0 { break }
            }
        }
        if number.isMultiple(of: 3) {
            try? await Task.sleep(for: .microseconds(number * 37 % 3_000))
            task.cancel()
        }
        _ = await task.result
    }
}
