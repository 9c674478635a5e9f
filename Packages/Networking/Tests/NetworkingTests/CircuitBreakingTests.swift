import Networking
import Synchronization
import SystemTestSupport
import Testing

@Suite("Circuit breaker", .timeLimit(.minutes(10)))
struct CircuitBreakingTests {
    private let clock = ManualClock()
    private let get = HTTPRequest(method: .get, url: "http://a.test/a")

    private func breaker(_ client: any HTTPClient) -> CircuitBreakingHTTPClient {
        CircuitBreakingHTTPClient(client, clock: clock)
    }

    /// Opens the circuit of ``get``.
    private func open(_ breaker: CircuitBreakingHTTPClient) async {
        for _ in 1...3 { _ = await breaker.result(of: get) }
    }

    private func failing(_ reason: HTTPClientError.Reason) -> ScriptedClient {
        ScriptedClient { _, _ throws(HTTPClientError) in throw HTTPClientError(reason) }
    }

    @Test(
        "The circuit opens after three timeouts of a server that was reached",
        arguments: [.timedOut(.handshake), .timedOut(.stall), .timedOut(.total)]
            as [HTTPClientError.Reason]
    )
    func timeouts(reason: HTTPClientError.Reason) async {
        let client = failing(reason)
        let breaker = breaker(client)
        for _ in 1...3 { #expect(await breaker.failure(get)?.reason == reason) }
        let error = await breaker.failure(get)
        #expect(error?.reason == .circuitOpen && error?.mayHaveBeenSent == false)
        #expect(error?.detail == "the next attempt is possible in 1000 ms")
        #expect(client.requests.count == 3)
    }

    @Test(
        "The circuit opens after three responses with one of these statuses",
        arguments: [408, 429, 502, 503, 504]
    )
    func statuses(status: Int) async throws {
        let client = ScriptedClient { _, _ in .status(status) }
        let breaker = breaker(client)
        for _ in 1...3 { #expect(try await breaker.send(get).status == status) }
        #expect(await breaker.failure(get)?.reason == .circuitOpen)
    }

    @Test(
        "The circuit stays closed after any other status",
        arguments: [200, 304, 401, 404, 500, 501, 511]
    )
    func otherStatuses(status: Int) async throws {
        let client = ScriptedClient { _, _ in .status(status) }
        let breaker = breaker(client)
        for _ in 1...10 { #expect(try await breaker.send(get).status == status) }
    }

    @Test(
        "The circuit stays closed after errors that do not show that the server is unavailable",
        arguments: [
            .invalidURL, .invalidHeader, .tls, .bodyTooLarge(limit: 1), .headersTooLarge(limit: 1),
            .tooManyRedirects(limit: 1), .redirectRejected, .redirectedElsewhere,
            .malformedResponse,
            .undecodableBody(encoding: "gzip"), .destinationNotAllowed, .cancelled, .closed,
            .libraryMissing, .other, .couldNotResolve, .couldNotConnect, .timedOut(.connect),
            .connectionLost, .linkLost, .proxyFailed(status: 503),
        ] as [HTTPClientError.Reason]
    )
    func otherErrors(reason: HTTPClientError.Reason) async {
        let breaker = breaker(failing(reason))
        for _ in 1...10 { #expect(await breaker.failure(get)?.reason == reason) }
    }

    @Test("Retry-After is honored, as seconds or as a date, only with 503 and 429")
    func retryAfter() async {
        for (status, value, milliseconds) in [
            (503, "7", 7_000), (429, "7", 7_000), (503, "Sun, 06 Nov 1994 08:49:44 GMT", 7_000),
            (503, "3600", 60_000), (502, "7", 1_000),
        ] {
            let breaker = breaker(
                ScriptedClient { _, _ in
                    .status(status, ["Retry-After": value])
                }
            )
            await open(breaker)
            let detail = "the next attempt is possible in \(milliseconds) ms"
            #expect(await breaker.failure(get)?.detail == detail)
        }
    }

    @Test("An origin has one circuit for all of its paths")
    func origins() async {
        let client = ScriptedClient { _, request throws(HTTPClientError) in
            if request.url.hasPrefix("http://a.test") { throw HTTPClientError(.timedOut(.total)) }
            return .status(200)
        }
        let breaker = breaker(client)
        await open(breaker)
        for url in ["http://a.test", "http://a.test?b=http://c.test", "http://a.test#b"] {
            let error = await breaker.failure(HTTPRequest(method: .get, url: url))
            #expect(error?.reason == .circuitOpen)
        }
        for url in ["https://a.test/a", "http://a.test:81/a", "http://b.test/a"] {
            let error = await breaker.failure(HTTPRequest(method: .get, url: url))
            #expect(error?.reason != .circuitOpen)
        }
    }

    @Test("Failures are counted from zero after a success")
    func consecutive() async {
        let client = ScriptedClient { call, _ in
            .status(call % 3 == 0 ? 200 : 503)
        }
        let breaker = breaker(client)
        for _ in 1...9 { #expect((try? await breaker.send(get)) != nil) }
    }

    @Test("The failures of at most 1,024 origins are counted")
    func maximum() async {
        let isUp = Atomic<Bool>(false)
        let client = ScriptedClient { _, _ throws(HTTPClientError) in
            if isUp.load(ordering: .relaxed) { return .status(200) }
            throw HTTPClientError(.timedOut(.total))
        }
        let breaker = breaker(client)
        let requests = (1...1_025).map { HTTPRequest(method: .get, url: "http://\($0).test/") }
        for request in requests { _ = await breaker.result(of: request) }
        let (first, last) = (requests[0], requests[1_024])
        for _ in 1...2 {
            #expect(await breaker.failure(first)?.reason == .timedOut(.total))
            #expect(await breaker.failure(last)?.reason == .timedOut(.total))
        }
        #expect(await breaker.failure(first)?.reason == .circuitOpen)
        #expect(await breaker.failure(last)?.reason == .timedOut(.total))
        // A success makes room for a different origin.
        isUp.store(true, ordering: .relaxed)
        _ = await breaker.result(of: requests[1])
        isUp.store(false, ordering: .relaxed)
        for _ in 1...3 { #expect(await breaker.failure(last)?.reason == .timedOut(.total)) }
        #expect(await breaker.failure(last)?.reason == .circuitOpen)
    }

    @Test("Exactly one of many requests is sent as the probe, and its success closes the circuit")
    func concurrentProbe() async throws {
        let (gate, started) = (Signal(), Signal())
        let client = ScriptedClient { call, _ throws(HTTPClientError) in
            if call <= 3 { throw HTTPClientError(.timedOut(.total)) }
            started.fire()
            await gate.wait()
            return .status(200)
        }
        let breaker = breaker(client)
        await open(breaker)
        clock.advance(by: .seconds(1))
        let calls = (1...50).map { _ in Task { await breaker.result(of: get) } }
        await started.wait()
        var probes = 0
        // The probe waits for the gate, which opens after all other requests were rejected.
        await withTaskGroup(of: Bool.self) { group in
            for call in calls { group.addTask { (try? await call.value.get()) != nil } }
            for _ in 1...49 where await group.next() == true { probes += 1 }
            #expect(probes == 0)
            gate.fire()
            #expect(await group.next() == true)
        }
        #expect(client.requests.count == 4)
        gate.fire()
        #expect(try await breaker.send(get).status == 200)
    }

    @Test("When the probe is cancelled, the next request becomes the probe")
    func cancelledProbe() async throws {
        let (gate, started) = (Signal(), Signal())
        let client = ScriptedClient { call, _ throws(HTTPClientError) in
            switch call {
            case ...3: throw HTTPClientError(.timedOut(.total))
            case 4:
                started.fire()
                await gate.wait()
                throw HTTPClientError(.cancelled, mayHaveBeenSent: true)
            default: return .status(200)
            }
        }
        let breaker = breaker(client)
        await open(breaker)
        clock.advance(by: .seconds(1))
        let probe = Task { await breaker.failure(get) }
        await started.wait()
        let error = await breaker.failure(get)
        #expect(error?.reason == .circuitOpen)
        #expect(error?.detail == "an attempt is in progress")
        probe.cancel()
        #expect(await probe.value?.reason == .cancelled)
        #expect(try await breaker.send(get).status == 200)
    }

    @Test("Around a retrying client, a request with all its retries counts once")
    func retries() async throws {
        let isUp = Atomic<Bool>(false)
        let server = try LoopbackServer { exchange in
            exchange.reply(isUp.load(ordering: .relaxed) ? "200 OK" : "503 Service Unavailable")
        }
        let retrying = RetryingHTTPClient(CurlHTTPClient(), clock: clock, jitter: { _ in .zero })
        let breaker = breaker(retrying)
        let request = HTTPRequest(method: .get, url: server.url)
        for _ in 1...3 { #expect(try await breaker.send(request).status == 503) }
        let sent = server.requests.count
        #expect(sent >= 6)
        #expect(await breaker.failure(request)?.reason == .circuitOpen)
        #expect(server.requests.count == sent)
        isUp.store(true, ordering: .relaxed)
        clock.advance(by: .seconds(1))
        for _ in 1...2 { #expect(try await breaker.send(request).status == 200) }
    }
}
