import Foundation
import Synchronization
import SystemTestSupport
import Testing

@testable import Networking

@Suite("Inline polling", .timeLimit(.minutes(10)))
struct InlinePollingTests {
    private let server: LoopbackServer
    private let client = CurlHTTPClient()

    init() throws {
        server = try LoopbackServer { exchange in
            if exchange.path.hasPrefix("/slow") { usleep(20_000) }
            if exchange.path == "/never" { return exchange.waitForClose() }
            exchange.reply("200 OK", body: exchange.path)
        }
    }

    private func response(_ path: String) async throws -> String {
        try await client.send(HTTPRequest(method: .get, url: server.url + path)).text
    }

    /// Sends requests until the sender of one polls inline. They count as fast however long they
    /// take, so the next sender is likely to poll inline, too.
    private func warmUp(_ client: CurlHTTPClient) async throws {
        let before = client.inlinePollCount
        while client.inlinePollCount == before {
            let response = try await client.send(
                HTTPRequest(method: .get, url: server.url + "/fast")
            )
            #expect(response.text == "/fast")
            client.loop.multi.withLock { $0?.latency.fastMicroseconds = .max }
        }
    }

    /// Repeats `body` until the sender of one of its requests has polled inline.
    private func pollingInline(_ body: () async throws -> Void) async throws {
        var before: Int
        repeat {
            try await warmUp(client)
            before = client.inlinePollCount
            try await body()
        } while client.inlinePollCount == before
    }

    @Test("A sender that polls inline receives a slow response, and concurrent requests theirs")
    func slow() async throws {
        for _ in 0..<5 {
            try await pollingInline {
                async let slow = response("/slow")
                async let second = response("/second")
                async let third = response("/slow/third")
                let responses = try await [slow, second, third]
                #expect(responses == ["/slow", "/second", "/slow/third"])
            }
        }
    }

    @Test("A request without a response times out while its sender polls inline")
    func timeout() async throws {
        try await pollingInline {
            let timeout = Duration.milliseconds(50)
            let never = HTTPRequest(method: .get, url: server.url + "/never", totalTimeout: timeout)
            #expect(await client.failure(never)?.reason == .timedOut(.total))
        }
        try await warmUp(client)
    }

    @Test("A request without a response can be cancelled while its sender polls inline")
    func cancellation() async throws {
        try await pollingInline {
            let never = HTTPRequest(method: .get, url: server.url + "/never")
            let task = Task { await client.failure(never) }
            task.cancel()
            #expect(await task.value?.reason == .cancelled)
        }
        try await warmUp(client)
    }

    @Test("Closing the client ends a request whose sender polls inline")
    func closing() async throws {
        for _ in 0..<20 {
            let client = CurlHTTPClient()
            try await warmUp(client)
            async let failure = client.failure(
                HTTPRequest(method: .get, url: server.url + "/never")
            )
            client.close()
            #expect(await failure?.reason == .closed)
        }
    }

    @Test("Senders no longer poll inline after a slow response")
    func slowResponse() async throws {
        try await warmUp(client)
        client.loop.multi.withLock { $0?.latency.fastMicroseconds = 0 }
        var before: Int
        // On a busy machine even a slow response may have arrived when the sender starts to poll.
        repeat {
            _ = try await response("/slow")
            before = client.inlinePollCount
            for _ in 0..<20 { _ = try await response("/next") }
        } while client.inlinePollCount != before
    }
}

extension CurlHTTPClient {
    fileprivate var inlinePollCount: Int { loop.state.withLock { $0.inlinePollCount } }
}
