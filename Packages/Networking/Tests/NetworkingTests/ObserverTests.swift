import Networking
import Synchronization
import SystemTestSupport
import Testing

@Suite("An observer", .timeLimit(.minutes(10)))
struct ObserverTests {
    private final class Recorder: HTTPClientObserver {
        private let reports = Mutex<(attempts: [HTTPReport], requests: [HTTPReport])>(([], []))

        var attempts: [HTTPReport] { reports.withLock { $0.attempts } }
        var requests: [HTTPReport] { reports.withLock { $0.requests } }

        func didFinishAttempt(_ report: HTTPReport) {
            reports.withLock { $0.attempts.append(report) }
        }
        func didFinishRequest(_ report: HTTPReport) {
            reports.withLock { $0.requests.append(report) }
        }
    }

    private let recorder = Recorder()
    private let clock = ManualClock()
    private var client: CurlHTTPClient { CurlHTTPClient(observer: recorder) }

    private func retrying(_ client: any HTTPClient) -> RetryingHTTPClient {
        RetryingHTTPClient(client, clock: clock, jitter: { $0 }, observer: recorder)
    }

    @Test("gets a report about each attempt, and one about the request after the last attempt")
    func attempts() async throws {
        let server = try LoopbackServer { exchange in
            exchange.reply(exchange.path == "/2" ? "503 X" : "200 OK", body: "abc")
        }
        let retrying = retrying(client)
        for path in ["/1", "/2"] {
            let request = HTTPRequest(method: .get, url: server.url + path)
            _ = try await retrying.send(request)
            let report = try #require(recorder.requests.last)
            #expect(report.request == request && report.receivedBytes == 3)
        }
        #expect(recorder.attempts.map(\.attempts) == [1, 1, 2, 3, 4])
        #expect(
            try recorder.attempts.map { try $0.result.get().status } == [200, 503, 503, 503, 503]
        )
        #expect(recorder.attempts.allSatisfy { $0.duration > .zero && $0.receivedBytes == 3 })
        #expect(recorder.requests.map(\.attempts) == [1, 4])
        #expect(try recorder.requests.map { try $0.result.get().status } == [200, 503])
    }

    @Test("gets the time of the request with all delays")
    func duration() async throws {
        let client = ScriptedClient { [clock] call, _ in
            clock.advance(by: .seconds(1))
            return .status(call < 3 ? 503 : 200)
        }
        _ = try await retrying(client).send(HTTPRequest(method: .get, url: "http://a.test/"))
        #expect(recorder.requests.map(\.duration) == [.milliseconds(3_000 + 250 + 500)])
    }

    @Test("gets a report about a request that may not be repeated, too")
    func once() async throws {
        let client = ScriptedClient { _, _ in .status(503) }
        let request = HTTPRequest(method: .post, url: "http://a.test/")
        _ = try await retrying(client).send(request)
        #expect(recorder.requests.map(\.attempts) == [1])
        #expect(recorder.requests.map(\.request) == [request])
    }

    @Test("gets a report about a request that was cancelled before its next attempt")
    func cancelled() async {
        let client = ScriptedClient { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .status(503)
        }
        let retrying = retrying(client)
        let request = HTTPRequest(method: .get, url: "http://a.test/")
        let error = HTTPClientError(.cancelled, mayHaveBeenSent: true)
        #expect(await Task { await retrying.failure(request) }.value == error)
        #expect(recorder.requests.map(\.result) == [.failure(error)])
    }

    @Test("gets a report about a failure, even if nothing was sent")
    func failures() async {
        var invalid = HTTPRequest(method: .get, url: "http://127.0.0.1:1/")
        invalid.headers["A"] = "\n"
        for request in [HTTPRequest(method: .get, url: "http://127.0.0.1:1/"), invalid] {
            let error = await client.failure(request)
            #expect(error != nil && recorder.attempts.last?.result == error.map { .failure($0) })
            #expect(recorder.attempts.last?.request == request)
        }
        #expect(recorder.attempts.count == 2 && recorder.requests.isEmpty)
    }

    @Test("gets one report about a request that was redirected")
    func redirect() async throws {
        let server = try LoopbackServer { exchange in
            exchange.path == "/last"
                ? exchange.reply("200 OK") : exchange.reply("302 X", headers: ["Location: /last"])
        }
        _ = try await client.send(HTTPRequest(method: .get, url: server.url))
        _ = try await client.stream(HTTPRequest(method: .get, url: server.url)).reduce(0) {
            $0 + $1.count
        }
        #expect(recorder.attempts.map(\.request.url) == [server.url, server.url])
        #expect(
            try recorder.attempts.map { try $0.result.get().url } == [
                server.url + "/last", server.url + "/last",
            ]
        )
    }
}

extension ObserverTests {
    private func unfinished() throws -> LoopbackServer {
        try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            if exchange.path == "/lost" { exchange.end() } else { exchange.waitForClose() }
        }
    }

    @Test(
        "gets a report about a stream after its last byte, with metrics if the request wants them"
    )
    func stream() async throws {
        let server = try LoopbackServer { $0.reply("200 OK", body: "abc") }
        var request = HTTPRequest(method: .get, url: server.url)
        request.wantsMetrics = true
        let stream = try await client.stream(request)
        #expect(recorder.attempts.isEmpty)
        #expect(try await stream.reduce(0) { $0 + $1.count } == 3)
        let report = try #require(recorder.attempts.first)
        #expect(report.receivedBytes == 3 && report.request == request)
        #expect(try report.result.get().metrics?.total != nil)
        #expect(try report.result.get().metrics == stream.metrics)
    }

    @Test("gets a report about a stream that breaks, with the bytes that arrived")
    func lost() async throws {
        let server = try unfinished()
        let request = HTTPRequest(method: .get, url: server.url + "/lost")
        let stream = try await client.stream(request)
        await #expect(throws: HTTPClientError.self) { for try await _ in stream {} }
        #expect(recorder.attempts.map(\.receivedBytes) == [3])
        #expect(throws: HTTPClientError.self) { try recorder.attempts[0].result.get() }
    }

    @Test("gets one report about a stream that is released before its end")
    func released() async throws {
        let server = try unfinished()
        func readOnce() async throws {
            let stream = try await client.stream(HTTPRequest(method: .get, url: server.url))
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next(isolation: nil)?.count == 3)
        }
        try await readOnce()
        let error = HTTPClientError(.cancelled, mayHaveBeenSent: true)
        #expect(recorder.attempts.map(\.result) == [.failure(error)])
        #expect(recorder.attempts.map(\.receivedBytes) == [3])
    }

    @Test("gets a report about a stream that has no response, and about an upload")
    func upload() async throws {
        let server = try LoopbackServer { $0.reply("200 OK", body: "abc") }
        let put = HTTPRequest(method: .put, url: server.url)
        for length in [0, 1] {
            let upload = HTTPUpload(AsyncStream<[UInt8]> { $0.finish() }, length: length)
            _ = try? await client.send(put, uploading: upload)
        }
        _ = try? await client.stream(HTTPRequest(method: .get, url: "http://127.0.0.1:1/"))
        let reasons = recorder.attempts.map { report -> HTTPClientError.Reason? in
            if case .failure(let error) = report.result { error.reason } else { nil }
        }
        #expect(reasons == [nil, .uploadFailed, .couldNotConnect])
    }
}
