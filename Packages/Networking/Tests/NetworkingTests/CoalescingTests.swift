import Networking
import Synchronization
import SystemTestSupport
import Testing

@Suite("Coalescing", .timeLimit(.minutes(10)))
struct CoalescingTests {
    let executor = SerialTaskExecutor()
    let get = HTTPRequest(method: .get, url: "http://a.test/", headers: ["Accept": "a"])

    /// A client whose responses wait for `gate`, and fire `ended`.
    func held(_ gate: Signal, started: Signal, ended: Signal = Signal()) -> ScriptedClient {
        ScriptedClient { call, _ throws(HTTPClientError) in
            started.fire()
            await gate.wait()
            ended.fire()
            if Task.isCancelled { throw HTTPClientError(.cancelled) }
            return .status(200, ["X-Call": "\(call)"])
        }
    }

    /// Starts `count` calls, and returns when all of them are waiting.
    func start(
        _ count: Int,
        _ client: CoalescingHTTPClient,
        _ request: HTTPRequest
    ) async -> [Task<Result<HTTPResponse, HTTPClientError>, Never>] {
        let calls = (0..<count).map { _ in
            Task(executorPreference: executor) { await client.result(of: request) }
        }
        // The executor is serial: when this runs, all earlier tasks are waiting.
        await Task(executorPreference: executor) {}.value
        return calls
    }

    @Test("Equal concurrent requests share one transfer and its response")
    func shared() async throws {
        let (gate, started) = (Signal(), Signal())
        let inner = held(gate, started: started)
        let calls = await start(20, CoalescingHTTPClient(inner), get)
        await started.wait()
        gate.fire()
        for call in calls { #expect(try await call.value.get().headers["X-Call"] == "1") }
        #expect(inner.requests == [get])
    }

    @Test("Equal concurrent requests share a failure, too")
    func failure() async throws {
        let (gate, started) = (Signal(), Signal())
        let inner = ScriptedClient { _, _ throws(HTTPClientError) in
            started.fire()
            await gate.wait()
            throw HTTPClientError(.connectionLost, mayHaveBeenSent: true)
        }
        let calls = await start(3, CoalescingHTTPClient(inner), get)
        await started.wait()
        gate.fire()
        for call in calls {
            let error = HTTPClientError(.connectionLost, mayHaveBeenSent: true)
            #expect(await call.value == .failure(error))
        }
        #expect(inner.requests.count == 1)
    }

    @Test("A finished transfer is not shared")
    func later() async throws {
        let inner = ScriptedClient { call, _ in .status(200 + call) }
        let client = CoalescingHTTPClient(inner)
        #expect(try await client.send(get).status == 201)
        #expect(try await client.send(get).status == 202)
    }

    @Test("Requests that differ, have a body, or are not GET share nothing")
    func different() async throws {
        let (gate, started) = (Signal(), Signal())
        let inner = held(gate, started: started)
        let client = CoalescingHTTPClient(inner)
        let different = [
            get, HTTPRequest(method: .get, url: get.url),
            HTTPRequest(method: .get, url: get.url + "b", headers: get.headers),
            HTTPRequest(method: .get, url: get.url, headers: ["Accept": "b"]),
            HTTPRequest(
                method: .get,
                url: get.url,
                headers: get.headers,
                totalTimeout: .milliseconds(1)
            ),
        ]
        let never = [
            HTTPRequest(method: .get, url: get.url, body: [1]),
            HTTPRequest(method: .post, url: get.url),
            HTTPRequest(method: .head, url: get.url),
        ]
        var calls: [Task<Result<HTTPResponse, HTTPClientError>, Never>] = []
        for request in different + never + never { calls += await start(1, client, request) }
        for _ in calls { await started.wait() }
        #expect(inner.requests.count == 11)
        for _ in calls { gate.fire() }
        for call in calls { #expect(try await call.value.get().status == 200) }
    }

    @Test("Cancelling one waiter does not affect the others")
    func oneLeaves() async throws {
        let (gate, started) = (Signal(), Signal())
        let inner = held(gate, started: started)
        let client = CoalescingHTTPClient(inner)
        let calls = await start(3, client, get)
        await started.wait()
        calls[0].cancel()
        let cancelled = HTTPClientError(.cancelled, mayHaveBeenSent: true)
        #expect(await calls[0].value == .failure(cancelled))
        gate.fire()
        for call in calls[1...] { #expect(try await call.value.get().status == 200) }
        #expect(inner.requests.count == 1)
    }

    @Test("Cancelling the last waiter ends the transfer, and the next one starts a new transfer")
    func lastLeaves() async throws {
        let (arrived, closed) = (Signal(), Signal())
        let server = try LoopbackServer { exchange in
            arrived.fire()
            exchange.waitForClose()
            closed.fire()
        }
        // With these timeouts, only the cancellation can end the transfer.
        let unlimited = CurlHTTPClient {
            $0.stallTimeout = .seconds(600)
        }
        let request = HTTPRequest(method: .get, url: server.url, totalTimeout: .seconds(600))
        let client = CoalescingHTTPClient(unlimited)
        for _ in 0..<2 {
            let calls = await start(3, client, request)
            await arrived.wait()
            for call in calls { call.cancel() }
            let cancelled = HTTPClientError(.cancelled, mayHaveBeenSent: true)
            for call in calls { #expect(await call.value == .failure(cancelled)) }
            await closed.wait()
        }
        #expect(server.requests.count == 2)
    }

    @Test("All calls return, even if many of a thousand are cancelled at random")
    func many() async throws {
        let server = try LoopbackServer(isRecording: false) { $0.reply("200 OK") }
        let client = CoalescingHTTPClient(CurlHTTPClient())
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let request = HTTPRequest(method: .get, url: server.url + "/\(number % 8)")
                    let call = Task { await client.result(of: request) }
                    if Bool.random() { call.cancel() }
                    return switch await call.value {
                    case .success(let response): response.status == 200
                    case .failure(let error): error.reason == .cancelled
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}

extension CoalescingTests {
    @Test("Requests share a transfer within a generation, and never across generations")
    func generations() async throws {
        let (gate, started) = (Signal(), Signal())
        let generation = Mutex<UInt64>(0)
        let inner = held(gate, started: started)
        let client = CoalescingHTTPClient(inner) { generation.withLock(\.self) }
        var calls: [Task<Result<HTTPResponse, HTTPClientError>, Never>] = []
        for number: UInt64 in [0, 1, 0, 1] {
            generation.withLock { $0 = number }
            calls += await start(2, client, get)
        }
        for _ in 0..<2 { await started.wait() }
        for _ in 0..<2 { gate.fire() }
        var transfers: [String?] = []
        for call in calls { transfers.append(try await call.value.get().headers["X-Call"]) }
        #expect(inner.requests.count == 2)
        #expect(transfers[0..<2] == transfers[4..<6] && transfers[2..<4] == transfers[6..<8])
        #expect(Set(transfers).count == 2 && transfers[0] != transfers[2])
    }

    @Test(
        "A request after all waiters were cancelled does not receive the abandoned response"
    )
    func lateTransfer() async throws {
        let (gates, started, ended) = ([Signal(), Signal()], Signal(), Signal())
        let inner = ScriptedClient { call, _ in
            started.fire()
            // A separate task, because the cancellation must not end this wait.
            await Task { await gates[call - 1].wait() }.value
            return .status(200, ["X-Call": "\(call)"])
        }
        let client = CoalescingHTTPClient(inner)
        let abandoned = await TransferEnd.$current.withValue(TransferEnd(signal: ended)) {
            await start(1, client, get)
        }
        await started.wait()
        abandoned[0].cancel()
        #expect(await abandoned[0].value == .failure(.init(.cancelled, mayHaveBeenSent: true)))
        let next = await start(1, client, get)
        await started.wait()
        gates[0].fire()
        await ended.wait()
        gates[1].fire()
        #expect(try await next[0].value.get().headers["X-Call"] == "2")
    }
}

/// A task-local object that the tasks of a transfer inherit. It fires when the last of them has
/// ended.
private final class TransferEnd: Sendable {
    @TaskLocal static var current: TransferEnd?
    private let signal: Signal

    init(signal: Signal) { self.signal = signal }

    deinit { signal.fire() }
}
