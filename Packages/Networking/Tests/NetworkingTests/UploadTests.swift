import Foundation
import Networking
import Synchronization
import SystemSupport
import SystemTestSupport
import Testing

/// Serialized, so that all suites together need fewer descriptors.
@Suite("Streamed uploads", .serialized, .timeLimit(.minutes(10)))
struct UploadTests {
    private struct Broken: Error, CustomStringConvertible { let description = "broken" }

    /// A sequence that ends with an error if `error` is not nil.
    private func chunks(
        _ texts: [String],
        _ error: (any Error)? = nil
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            for text in texts { continuation.yield(Array(text.utf8)) }
            continuation.finish(throwing: error)
        }
    }

    /// A sequence without end that counts its chunks of 64 KiB.
    private struct Endless: AsyncSequence, Sendable {
        final class AsyncIterator: AsyncIteratorProtocol {
            private let chunks: Endless

            init(_ chunks: Endless) { self.chunks = chunks }

            deinit { chunks.ended.fire() }

            func next() async -> [UInt8]? {
                chunks.counter.value.add(1, ordering: .relaxed)
                return [UInt8](repeating: 0, count: 65_536)
            }
        }

        final class Counter: Sendable { let value = Atomic<Int>(0) }

        private let counter = Counter()
        let ended = Signal()
        var count: Int { counter.value.load(ordering: .relaxed) }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }

    private func failure(
        _ client: CurlHTTPClient,
        _ request: HTTPRequest,
        _ upload: HTTPUpload
    ) async -> HTTPClientError? {
        do {
            _ = try await client.send(request, uploading: upload)
            return nil
        } catch {
            return error
        }
    }

    private func file(_ bytes: [UInt8]) throws -> String {
        let path = NSTemporaryDirectory() + "Networking-\(UUID())"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        "Chunks of unknown total length are sent as chunks",
        arguments: [HTTPMethod.put, .post, .patch, .get]
    )
    func unknownLength(method: HTTPMethod) async throws {
        let server = try LoopbackServer { exchange in
            exchange.reply("201 Created", body: "done")
            exchange.end()
        }
        let request = HTTPRequest(method: method, url: server.url, body: Array("unused".utf8))
        let upload = HTTPUpload(chunks(["abc", "", "defgh"]))
        let response = try await CurlHTTPClient().send(request, uploading: upload)
        #expect(response.status == 201 && response.text == "done")
        let parts = try #require(server.requests.first).components(separatedBy: "\r\n\r\n")
        #expect(parts[0].hasPrefix("\(method.rawValue) / HTTP/1.1\r\n"))
        #expect(parts[0].contains("Transfer-Encoding: chunked"))
        #expect(["Content-Length", "Expect", "Content-Type"].allSatisfy { !parts[0].contains($0) })
        let body = parts[1].components(separatedBy: "\r\n").enumerated()
        #expect(body.filter { $0.offset % 2 == 1 }.map(\.element).joined() == "abcdefgh")
    }

    @Test("Chunks of known total length are sent with their length")
    func knownLength() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        for texts in [["abc", "defgh"], [], [String(repeating: "x", count: 200_000)]] {
            let text = texts.joined()
            let upload = HTTPUpload(chunks(texts), length: text.utf8.count)
            let request = HTTPRequest(method: .put, url: server.url)
            #expect(await failure(CurlHTTPClient(), request, upload) == nil)
            let last = try #require(server.requests.last)
            #expect(last.contains("Content-Length: \(text.utf8.count)\r\n"))
            #expect(!last.contains("Expect") && last.hasSuffix("\r\n\r\n" + text))
        }
    }

    @Test(
        "A file is sent with its length, and progress is reported",
        arguments: [0, 1, 262_144, 300_000]
    )
    func file(size: Int) async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let path = try file((0..<size).map { UInt8($0 / 997 % 64 + 0x30) })
        defer { unlink(path) }
        let progress = Mutex<[HTTPProgress]>([])
        let upload = try HTTPUpload(file: path) { step in progress.withLock { $0.append(step) } }
        #expect(upload.length == size)
        let request = HTTPRequest(method: .put, url: server.url)
        #expect(await failure(CurlHTTPClient(), request, upload) == nil)
        let expected = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try #require(server.requests.last).hasSuffix("\r\n\r\n" + expected))
        let steps = progress.withLock { $0 }
        #expect(steps.allSatisfy { $0.totalBytes == size })
        let counts = stride(from: 262_144, to: size, by: 262_144) + (size > 0 ? [size] : [])
        // The transfer may be over before the last chunk is reported.
        #expect(counts.starts(with: steps.map(\.completedBytes)))
    }

    @Test(
        "Only a readable regular file can be uploaded",
        arguments: ["/tmp", "/dev/null", "/none"]
    )
    func noFile(path: String) {
        let error = #expect(throws: HTTPClientError.self) { try HTTPUpload(file: path) }
        #expect(error?.reason == .fileFailed && error?.mayHaveBeenSent == false)
        #expect(error?.detail.hasPrefix(path) == true)
    }

    @Test("A file that becomes shorter fails, and one that grows is sent with its first length")
    func changedFile() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let request = HTTPRequest(method: .put, url: server.url)
        let path = try file(Array("12345".utf8))
        defer { unlink(path) }
        let upload = try HTTPUpload(file: path)
        truncate(path, 9)
        #expect(await failure(CurlHTTPClient(), request, upload) == nil)
        #expect(server.requests.last?.hasSuffix("\r\n\r\n12345") == true)
        truncate(path, 4)
        let error = await failure(CurlHTTPClient(), request, upload)
        #expect(error?.reason == .uploadFailed && error?.detail == "it has 4 bytes instead of 5")
    }

    @Test(
        "A body that fails, or has a different length than announced, is an error",
        arguments: [
            (["abc"], nil, true, "broken"), (["abc"], 4, false, "it has 3 bytes instead of 4"),
            (["abc", "de"], 4, false, "it has more than 4 bytes"),
        ]
    )
    func broken(texts: [String], length: Int?, fails: Bool, detail: String) async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let upload = HTTPUpload(chunks(texts, fails ? Broken() : nil), length: length)
        let error = await failure(
            CurlHTTPClient(),
            HTTPRequest(method: .put, url: server.url),
            upload
        )
        #expect(
            error
                == HTTPClientError(.uploadFailed, mayHaveBeenSent: true, detail: detail)
        )
        // The server never receives a complete message.
        #expect(server.requests.isEmpty)
    }

    @Test("A server that does not read makes the sequence wait, and cancelling ends both")
    func backpressure() async throws {
        let (closed, hold) = (Signal(), Semaphore())
        let server = try LoopbackServer(readsBodies: false) { exchange in
            hold.wait()
            exchange.waitForClose()
            closed.fire()
        }
        let endless = Endless()
        let client = CurlHTTPClient()
        let request = HTTPRequest(method: .put, url: server.url)
        let task = Task { await failure(client, request, HTTPUpload(endless, length: 1 << 40)) }
        // Nothing reports that the sockets are full, except that no more chunks are taken.
        var count = 0
        while count < 3 || count != endless.count {
            count = endless.count
            try await Task.sleep(for: .milliseconds(200))
        }
        // The sockets of both sides have buffers of several megabytes.
        #expect(count < 500)
        hold.signal()
        task.cancel()
        #expect(await task.value == HTTPClientError(.cancelled, mayHaveBeenSent: true))
        await endless.ended.wait()
        await closed.wait()
    }

    @Test("Preparing a chunk may take longer than the stall timeout")
    func slowProducer() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient { $0.stallTimeout = .seconds(1) }
        let slow = AsyncStream<[UInt8]> { continuation in
            continuation.yield([0x61])
            Thread.detachNewThread {
                // Longer than the timeout, since only time can show that none expires.
                sleep(3)
                continuation.yield([0x62])
                continuation.finish()
            }
        }
        let upload = HTTPUpload(slow, length: 2)
        #expect(await failure(client, HTTPRequest(method: .put, url: server.url), upload) == nil)
        #expect(server.requests.last?.hasSuffix("\r\n\r\nab") == true)
    }

    @Test("A request can have a shorter stall timeout than its client")
    func shorterStall() async throws {
        let server = try LoopbackServer { $0.waitForClose() }
        let client = CurlHTTPClient { $0.stallTimeout = .seconds(3_600) }
        var request = HTTPRequest(method: .get, url: server.url, totalTimeout: .seconds(600))
        request.stallTimeout = .seconds(1)
        #expect(await client.failure(request)?.reason == .timedOut(.stall))
    }

    @Test("A server that does not respond after the upload is a stall")
    func stall() async throws {
        let server = try LoopbackServer { $0.waitForClose() }
        let client = CurlHTTPClient { $0.stallTimeout = .seconds(1) }
        let error = await failure(
            client,
            HTTPRequest(method: .put, url: server.url),
            HTTPUpload(chunks(["a"]))
        )
        #expect(error?.reason == .timedOut(.stall) && error?.mayHaveBeenSent == true)
    }

    @Test("An early response ends the upload")
    func early() async throws {
        let server = try LoopbackServer(readsBodies: false) { exchange in
            exchange.reply("403 Forbidden", body: "no")
            exchange.waitForClose()
        }
        let endless = Endless()
        let request = HTTPRequest(method: .put, url: server.url)
        let response = try await CurlHTTPClient().send(request, uploading: HTTPUpload(endless))
        #expect(response.status == 403 && response.text == "no")
        await endless.ended.wait()
    }

    @Test("A response can be read while the request's body is being sent")
    func bothDirections() async throws {
        let server = try LoopbackServer(readsBodies: false) { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n")
            var bytes: [UInt8] = []
            while !bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8),
                let more = exchange.read()
            {
                bytes += more
            }
            let text = String(decoding: bytes, as: UTF8.self)
            exchange.send(text.contains("echo") ? "4\r\necho\r\n0\r\n\r\n" : "0\r\n\r\n")
            exchange.end()
        }
        let (sequence, input) = AsyncStream.makeStream(of: [UInt8].self)
        let request = HTTPRequest(method: .post, url: server.url)
        let stream = try await CurlHTTPClient().stream(request, uploading: HTTPUpload(sequence))
        var received: [String] = []
        for try await chunk in stream {
            received.append(String(decoding: chunk, as: UTF8.self))
            if received.count == 1 {
                input.yield(Array("echo".utf8))
                input.finish()
            }
        }
        #expect(received == ["hi", "echo"])
    }

    @Test("A redirect of an upload is returned, and nothing is sent again")
    func redirect() async throws {
        let server = try LoopbackServer {
            $0.reply("307 Temporary Redirect", headers: ["Location: /last"])
        }
        for method in [HTTPMethod.put, .get] {
            let upload = HTTPUpload(chunks(["a"]), length: 1)
            let request = HTTPRequest(method: method, url: server.url)
            let response = try await CurlHTTPClient().send(request, uploading: upload)
            #expect(response.status == 307)
        }
        #expect(server.requests.count == 2)
    }

    @Test(
        "Without a connection nothing was sent, and the sequence is not read further",
        arguments: [true, false]
    )
    func noConnection(isValid: Bool) async throws {
        let endless = Endless()
        let request = HTTPRequest(method: .put, url: isValid ? "http://127.0.0.1:1/" : "http://")
        let error = await failure(CurlHTTPClient(), request, HTTPUpload(endless))
        #expect(error?.reason == (isValid ? .couldNotConnect : .invalidURL))
        #expect(error?.mayHaveBeenSent == false)
        await endless.ended.wait()
    }

    @Test("A HEAD request sends no body")
    func head() async throws {
        let server = try LoopbackServer { $0.send("HTTP/1.1 200 OK\r\n\r\n") }
        let upload = HTTPUpload(chunks(["a"]), length: 1)
        let request = HTTPRequest(method: .head, url: server.url)
        #expect(await failure(CurlHTTPClient(), request, upload) == nil)
        let head = try #require(server.requests.first)
        #expect(head.hasSuffix("\r\n\r\n") && !head.contains("Content-Length"))
    }

    @Test("The total timeout of the request ends an upload")
    func total() async throws {
        let server = try LoopbackServer { $0.waitForClose() }
        let request = HTTPRequest(method: .put, url: server.url, totalTimeout: .milliseconds(100))
        let error = await failure(CurlHTTPClient(), request, HTTPUpload(chunks(["a"])))
        #expect(error?.reason == .timedOut(.total))
    }
}
