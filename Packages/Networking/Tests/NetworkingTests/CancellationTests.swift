import Networking
import SystemTestSupport
import Testing

@Suite("Cancellation", .timeLimit(.minutes(10)))
struct CancellationTests {
    /// A sequence that depends on the seed only (SplitMix64).
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Test("A request that is cancelled before it starts is not sent")
    func before() async throws {
        let client = CurlHTTPClient()
        let server = try LoopbackServer { $0.reply("200 OK") }
        let url = server.url
        for _ in 0..<50 {
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await client.failure(HTTPRequest(method: .get, url: url))
            }
            task.cancel()
            #expect(await task.value == HTTPClientError(.cancelled))
        }
        #expect(server.accepted == 0)
    }

    @Test("Cancelling while connecting returns immediately, and nothing was sent")
    func connecting() async throws {
        let hole = try BlackHole()
        let client = CurlHTTPClient()
        let task = Task {
            await client.failure(HTTPRequest(method: .get, url: "http://127.0.0.1:\(hole.port)/"))
        }
        #expect(try await eventually { try Resources.connecting(to: hole.port) == 1 })
        task.cancel()
        #expect(await task.value == HTTPClientError(.cancelled))
        #expect(try await eventually { try Resources.connecting(to: hole.port) == 0 })
    }

    @Test(
        "Cancelling while waiting, or in the middle of a body, returns and closes the connection",
        arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"]
    )
    func waiting(first: String) async throws {
        let arrived = Signal()
        let (closings, closing) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        let server = try LoopbackServer { exchange in
            exchange.send(first)
            arrived.fire()
            exchange.waitForClose()
            closing.yield(.now)
        }
        let client = CurlHTTPClient()
        let url = server.url
        let task = Task {
            (await client.failure(HTTPRequest(method: .get, url: url)), ContinuousClock.now)
        }
        await arrived.wait()
        let start = ContinuousClock.now
        task.cancel()
        let (error, returned) = await task.value
        #expect(error == HTTPClientError(.cancelled, mayHaveBeenSent: true))
        for await closed in closings {
            print("cancelled: closed after \(closed - start), returned after \(returned - start)")
            break
        }
    }

    @Test("A thousand cancellations at random moments leak nothing, and every call returns")
    func thousand() async throws {
        let server = try LoopbackServer(isRecording: false) { exchange in
            switch exchange.path {
            case "/0": return exchange.reply("200 OK", body: "ok")
            case "/1": break
            case "/2": exchange.send("HTTP/1.1 200 OK\r\nX-A: b\r\n")
            default: exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            }
            exchange.waitForClose()
        }
        let client = CurlHTTPClient()
        let before = try Resources.descriptors()
        var cancelled = 0
        for round in 0..<20 {
            cancelled += try await cancelFifty(client, server.url, seed: UInt64(round))
        }
        print("cancelled at random: \(cancelled) of 1000 before their response")
        #expect(
            try await client.send(HTTPRequest(method: .get, url: server.url + "/0")).text == "ok"
        )
        client.close()
        #expect(try await eventually { server.open == 0 })
        #expect(try await eventually { try Resources.descriptors() <= before + 16 })
    }

    private func cancelFifty(
        _ client: CurlHTTPClient,
        _ url: String,
        seed: UInt64
    ) async throws -> Int {
        await withTaskGroup(of: HTTPClientError?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    var random = Random(state: seed << 8 | UInt64(number))
                    let url = "\(url)/\(random.next() % 4)"
                    let call = Task { await client.failure(HTTPRequest(method: .get, url: url)) }
                    // A random moment between the start and some time after the response.
                    try? await Task.sleep(for: .microseconds(Int(random.next() % 3_000)))
                    call.cancel()
                    return await call.value
                }
            }
            return await group.reduce(into: 0) { count, error in
                #expect(error == nil || error?.reason == .cancelled)
                count += error == nil ? 0 : 1
            }
        }
    }
}
