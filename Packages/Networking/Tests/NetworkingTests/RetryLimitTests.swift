import Networking
import Synchronization
import SystemTestSupport
import Testing

@Suite("Limits of retries", .timeLimit(.minutes(10)))
struct RetryLimitTests {
    private let clock = ManualClock()
    private let get = HTTPRequest(method: .get, url: "http://a.test/")

    private func retrying(
        _ client: any HTTPClient,
        _ change: (inout RetryPolicy) -> Void = { _ in },
        jitter: @escaping @Sendable (Duration) -> Duration = { _ in .zero }
    ) -> RetryingHTTPClient {
        var policy = RetryPolicy()
        change(&policy)
        return RetryingHTTPClient(client, policy: policy, clock: clock, jitter: jitter)
    }

    private func failing(
        _ headers: HTTPHeaders = [:],
        taking duration: Duration = .zero
    ) -> ScriptedClient {
        ScriptedClient { [clock] _, _ in
            clock.advance(by: duration)
            return .status(503, headers)
        }
    }

    @Test("A retry waits for a random part of a delay that doubles up to its limit")
    func backoff() async throws {
        let longest = Mutex<[Duration]>([])
        let retrying = retrying(failing()) {
            $0.maximumAttempts = 70
            $0.budget = 70
        } jitter: { duration in
            longest.withLock { $0.append(duration) }
            return .zero
        }
        _ = try await retrying.send(get)
        let expected = [250, 500, 1_000, 2_000] + Array(repeating: 4_000, count: 65)
        #expect(longest.withLock { $0 } == expected.map { .milliseconds($0) })
    }

    @Test("No policy causes an overflow", arguments: [Int.min, -1, 0, Int.max])
    func anyPolicy(value: Int) async throws {
        let client = failing()
        let retrying = retrying(client) {
            $0.firstDelay = .seconds(value)
            $0.maximumDelay = .seconds(value)
            $0.budget = value
            $0.successesPerRetry = value
            $0.maximumAttempts = min(value, 8)
        } jitter: {
            $0
        }
        var request = get
        #expect(try await retrying.send(request).status == 503)
        request.totalTimeout = .seconds(value)
        #expect(try await retrying.send(request).status == 503)
    }

    @Test("A retry never comes sooner than the server asks, as seconds or as a date")
    func retryAfter() async throws {
        for value in ["7", "Sun, 06 Nov 1994 08:49:44 GMT"] {
            _ = try await retrying(failing(["Retry-After": value])) {
                $0.maximumAttempts = 2
            }.send(get)
        }
        #expect(clock.sleeps == [.seconds(7), .seconds(7)])
    }

    @Test("There is no retry if the server asks for more time than the timeout leaves")
    func tooLate() async throws {
        let client = failing(["Retry-After": "29"], taking: .seconds(1))
        let response = try await retrying(client).send(get)
        #expect(response.headers["Retry-After"] == "29")
        #expect(client.requests.count == 1 && clock.sleeps.isEmpty)
    }

    @Test("Retries stay within the timeout: each attempt receives the time that is left")
    func total() async throws {
        let client = failing(taking: .seconds(3))
        let retrying = retrying(client) {
            $0.firstDelay = .seconds(1)
        } jitter: {
            $0
        }
        _ = try await retrying.send(
            HTTPRequest(method: .get, url: "http://a.test/", totalTimeout: .seconds(10))
        )
        // An attempt takes 3 s, the delay 1 s, the second attempt 3 s, the delay 2 s: 1 s is left.
        #expect(client.requests.map(\.totalTimeout) == [.seconds(10), .seconds(6), .seconds(1)])
        #expect(clock.sleeps == [.seconds(1), .seconds(2)])
    }

    @Test("All requests share a budget, so that retries do not multiply the load of an outage")
    func outage() async throws {
        let client = failing()
        let retrying = retrying(client)
        let copy = retrying
        for _ in 0..<50 {
            _ = try await retrying.send(get)
            _ = try await copy.send(get)
        }
        #expect(client.requests.count == 110)
    }

    @Test("Successes allow more retries once the budget is used up")
    func refill() async throws {
        let client = ScriptedClient { _, request in
            .status(request.method == .get ? 503 : 200)
        }
        let retrying = retrying(client)
        for _ in 0..<20 { _ = try await retrying.send(get) }
        let used = client.requests.count
        for _ in 0..<10 { _ = try await retrying.send(HTTPRequest(method: .head, url: get.url)) }
        for _ in 0..<5 { _ = try await retrying.send(get) }
        #expect(client.requests.count - used == 10 + 5 + 1)
    }

    @Test("Errors do not allow more retries")
    func noRefill() async throws {
        let client = ScriptedClient { _, request throws(HTTPClientError) in
            guard request.method == .get else { throw HTTPClientError(.tls) }
            return .status(503)
        }
        let retrying = retrying(client)
        for _ in 0..<20 { _ = try await retrying.send(get) }
        let used = client.requests.count
        for _ in 0..<10 { _ = await retrying.failure(HTTPRequest(method: .head, url: get.url)) }
        for _ in 0..<5 { _ = try await retrying.send(get) }
        #expect(client.requests.count - used == 10 + 5)
    }

    @Test("A retry reaches a real server that recovers, after a reset and a 503")
    func realServer() async throws {
        let calls = Atomic<Int>(0)
        let server = try LoopbackServer { exchange in
            switch calls.wrappingAdd(1, ordering: .relaxed).newValue {
            case 1: exchange.reset()
            case 2: exchange.reply("503 Service Unavailable", headers: ["Retry-After: 0"])
            default: exchange.reply("200 OK", body: "recovered")
            }
        }
        var policy = RetryPolicy()
        policy.firstDelay = .milliseconds(1)
        let retrying = RetryingHTTPClient(CurlHTTPClient(), policy: policy)
        let request = HTTPRequest(
            method: .post,
            url: server.url,
            headers: ["Idempotency-Key": "k"],
            body: [1]
        )
        #expect(try await retrying.send(request).text == "recovered")
        #expect(server.requests.count == 3)
    }
}
