import Networking
import Testing
import WebPrimitives

@Suite("Retries", .timeLimit(.minutes(10)))
struct RetryTests {
    private let clock = ManualClock()

    private func retrying(
        _ client: any HTTPClient,
        _ change: (inout RetryPolicy) -> Void = { _ in }
    ) -> RetryingHTTPClient {
        var policy = RetryPolicy()
        change(&policy)
        return RetryingHTTPClient(client, policy: policy, clock: clock, jitter: { $0 })
    }

    private let get = HTTPRequest(method: .get, url: "http://a.test/")

    @Test("Each transient status is retried", arguments: [408, 429, 502, 503, 504])
    func statuses(status: Int) async throws {
        let client = ScriptedClient { call, _ in
            .status(call < 4 ? status : 200)
        }
        #expect(try await retrying(client).send(get).status == 200)
        #expect(client.requests.count == 4)
    }

    @Test(
        "No other status is retried",
        arguments: [200, 304, 400, 401, 404, 409, 500, 501, 505]
    )
    func otherStatuses(status: Int) async throws {
        let client = ScriptedClient { _, _ in .status(status) }
        #expect(try await retrying(client).send(get).status == status)
        #expect(client.requests.count == 1)
    }

    @Test(
        "A failed connection is retried",
        arguments: [
            .couldNotResolve, .couldNotConnect, .timedOut(.connect), .connectionLost, .linkLost,
            .proxyFailed(status: nil), .proxyFailed(status: 503),
        ]
            as [HTTPClientError.Reason]
    )
    func failures(reason: HTTPClientError.Reason) async throws {
        let client = ScriptedClient { call, _ throws(HTTPClientError) in
            if call < 4 { throw HTTPClientError(reason) }
            return .status(200)
        }
        #expect(try await retrying(client).send(get).status == 200)
    }

    @Test(
        "A failure that would happen again is not retried",
        arguments: [
            .invalidURL, .invalidHeader, .tls, .timedOut(.handshake), .timedOut(.stall),
            .proxyFailed(status: 403), .proxyFailed(status: 407), .timedOut(.total), .cancelled,
            .bodyTooLarge(limit: 1), .redirectRejected, .redirectedElsewhere,
            .malformedResponse, .closed, .other, .undecodableBody(encoding: "gzip"),
            .destinationNotAllowed, .circuitOpen,
        ] as [HTTPClientError.Reason]
    )
    func otherFailures(reason: HTTPClientError.Reason) async throws {
        let client = ScriptedClient { _, _ throws(HTTPClientError) in
            throw HTTPClientError(reason)
        }
        #expect(await retrying(client).failure(get) == HTTPClientError(reason))
        #expect(client.requests.count == 1)
    }

    @Test("After four attempts, the last response is returned")
    func attempts() async throws {
        let client = ScriptedClient { call, _ in
            .status(503, ["X-Call": "\(call)"])
        }
        #expect(try await retrying(client).send(get).headers["X-Call"] == "4")
        #expect(
            client.requests.count == 4
                && clock.sleeps == [250, 500, 1_000].map { .milliseconds($0) }
        )
    }

    @Test("A POST is never sent twice unless it has an idempotency key")
    func post() async throws {
        let client = ScriptedClient { _, _ in .status(503) }
        for method in [.post, .patch, HTTPMethod("LOCK")].compactMap(\.self) {
            _ = try await retrying(client).send(
                HTTPRequest(method: method, url: "http://a.test/", body: [])
            )
        }
        #expect(client.requests.count == 3)
        let keyed = HTTPRequest(
            method: .post,
            url: "http://a.test/",
            headers: ["idempotency-key": "k"]
        )
        _ = try await retrying(client).send(keyed)
        #expect(client.requests.count == 7)
    }

    @Test("The request may have been sent if an earlier attempt may have sent it")
    func mayHaveBeenSent() async throws {
        let client = ScriptedClient { call, _ throws(HTTPClientError) in
            if call == 1 { throw HTTPClientError(.connectionLost, mayHaveBeenSent: true) }
            throw HTTPClientError(.couldNotConnect)
        }
        let error = await retrying(client).failure(get)
        #expect(error?.reason == .couldNotConnect && error?.mayHaveBeenSent == true)
    }

    @Test("A clock that allows no delay prevents the retry, and the last result counts")
    func noDelay() async throws {
        struct RefusingClock: RetryClock {
            struct Refusal: Error {}
            let now = ContinuousClock.now
            let date = HTTPDate(secondsSince1970: 0)
            func sleep(for duration: Duration) async throws { throw Refusal() }
        }
        let client = ScriptedClient { _, _ in .status(503) }
        let retrying = RetryingHTTPClient(client, clock: RefusingClock())
        #expect(try await retrying.send(get).status == 503)
        #expect(client.requests.count == 1)
    }

    @Test("Cancelling the task ends the delay, and there is no retry")
    func cancel() async throws {
        struct EndlessClock: RetryClock {
            let started: Signal
            let now = ContinuousClock.now
            let date = HTTPDate(secondsSince1970: 0)
            func sleep(for duration: Duration) async throws {
                started.fire()
                try await SystemRetryClock().sleep(for: .seconds(3_600))
            }
        }
        let clock = EndlessClock(started: Signal())
        let client = ScriptedClient { _, _ in .status(503) }
        let retrying = RetryingHTTPClient(client, clock: clock)
        let task = Task { await retrying.failure(get) }
        await clock.started.wait()
        task.cancel()
        #expect(await task.value == HTTPClientError(.cancelled, mayHaveBeenSent: true))
        #expect(client.requests.count == 1)
    }
}
