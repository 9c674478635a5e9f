import Foundation
import Synchronization
import Testing

@testable import Networking

/// A thread that waits for its own answer must leave nobody else's behind.
@Suite("After many quick answers, one at a time", .timeLimit(.minutes(1)))
struct LeadingTests {
    private let server: LoopbackServer
    private let client = CurlHTTPClient()

    init() throws {
        server = try LoopbackServer { exchange in
            if exchange.path.hasPrefix("/slow") { usleep(20_000) }
            if exchange.path == "/never" { return exchange.waitForClose() }
            exchange.reply("200 OK", body: exchange.path)
        }
    }

    private func answer(_ path: String) async throws -> String {
        try await client.send(HTTPRequest(.get, server.url + path)).text
    }

    /// Sends quick requests until a sender has polled for its own answer. However busy the machine
    /// is, each counts as quick.
    private func beQuick(_ client: CurlHTTPClient) async throws {
        let before = client.loop.inbox.withLock(\.leadCount)
        while client.loop.inbox.withLock(\.leadCount) <= before {
            #expect(
                try await client.send(HTTPRequest(.get, server.url + "/quick")).text == "/quick"
            )
            client.loop.engine.withLock { $0?.table.quickMicroseconds = .max }
        }
    }

    @Test("one that takes longer is answered too, and so are those beside it")
    func slow() async throws {
        for _ in 0..<5 {
            try await beQuick(client)
            async let slow = answer("/slow")
            async let second = answer("/second")
            async let third = answer("/slow/third")
            #expect(try await (slow, second, third) == ("/slow", "/second", "/slow/third"))
        }
    }

    @Test("one that is never answered ends when it is cancelled, and in time")
    func never() async throws {
        try await beQuick(client)
        let never = HTTPRequest(.get, server.url + "/never", totalTimeout: .milliseconds(50))
        #expect(await client.failure(never)?.reason == .timedOut(.total))
        try await beQuick(client)
        let other = HTTPRequest(.get, server.url + "/never")
        let task = Task { await client.failure(other) }
        task.cancel()
        #expect(await task.value?.reason == .cancelled)
        try await beQuick(client)
    }

    @Test("closing the client ends what is under way")
    func closing() async throws {
        for _ in 0..<20 {
            let client = CurlHTTPClient()
            try await beQuick(client)
            async let failure = client.failure(HTTPRequest(.get, server.url + "/never"))
            client.close()
            #expect(await failure?.reason == .closed)
        }
    }
}
