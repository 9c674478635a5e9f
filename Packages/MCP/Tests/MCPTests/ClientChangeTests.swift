import JSON
import JSONRPC
import Testing

@testable import MCP

@Suite("Changes that a client receives", .timeLimit(.minutes(10)))
struct ClientChangeTests {
    private let one = ChangeTopic.resource("test://one")

    @Test("of a resource, until the stream is released", arguments: Revision.allCases)
    func resource(revision: Revision) async throws {
        let subscriptions = ResourceSubscriptions()
        let connection = try await ClientConnection(
            revision: revision,
            subscriptions: subscriptions
        )
        let client = connection.client
        do {
            let changes = try await client.changes(of: one)
            #expect(subscriptions.uris == ["test://one"])
            subscriptions.notify("test://a")
            subscriptions.notify("test://one")
            var iterator = changes.makeAsyncIterator()
            #expect(await iterator.next() != nil)
        }
        // The subscription ends during later requests.
        while !subscriptions.uris.isEmpty { _ = try await client.prompts() }
        await client.close()
    }

    @Test(
        "a second stream for the same resource goes on when the first ends",
        arguments: Revision.allCases
    )
    func twoStreams(revision: Revision) async throws {
        let subscriptions = ResourceSubscriptions()
        let connection = try await ClientConnection(
            revision: revision,
            subscriptions: subscriptions
        )
        let client = connection.client
        let second = try await client.changes(of: one)
        do { _ = try await client.changes(of: one) }
        // Waits for the end of the first subscription.
        let other = try await client.changes(of: .resource("test://a"))
        subscriptions.notify("test://one")
        var iterator = second.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        await client.close()
        #expect(await iterator.next() == nil)
        for await _ in other {}
    }

    @Test("a resource that does not exist is an error", arguments: Revision.allCases)
    func unknown(revision: Revision) async throws {
        let client = try await ClientConnection(revision: revision).client
        await #expect(throws: RPCError.self) {
            _ = try await client.changes(of: .resource("test://two"))
        }
        await client.close()
    }

    @Test("changes that the server does not offer are -32601", arguments: Revision.allCases)
    func notOffered(revision: Revision) async throws {
        let client = try await ClientConnection(revision: revision).client
        for topic in [ChangeTopic.tools, .resources, .prompts] {
            let error = await #expect(throws: RPCError.self) {
                _ = try await client.changes(of: topic)
            }
            #expect(error?.code == -32_601)
        }
        await client.close()
    }

    @Test("the stream ends if the server ends")
    func serverEnds() async throws {
        for revision in [Revision.v2025_11_25, .v2026_07_28] {
            let connection = try await ClientConnection(revision: revision)
            let changes = try await connection.client.changes(of: one)
            connection.stopServer()
            for await _ in changes {}
            let error = await #expect(throws: RPCError.self) {
                try await connection.client.tools()
            }
            #expect(error == .connectionEnded)
        }
    }

    private static let all =
        #"{"tools":{"listChanged":true},"resources":{"listChanged":true},"prompts":{"listChanged":true}}"#
    private static let lists: [(ChangeTopic, flag: String, notification: String)] = [
        (.tools, "toolsListChanged", "notifications/tools/list_changed"),
        (.resources, "resourcesListChanged", "notifications/resources/list_changed"),
        (.prompts, "promptsListChanged", "notifications/prompts/list_changed"),
    ]

    @Test("of lists, with and without a handshake", arguments: 0..<3)
    func lists(index: Int) async throws {
        let (topic, flag, notification) = Self.lists[index]
        let ping = FakeServer.method("tools/list") { call in
            call.peer.notify(notification, .emptyObject)
            return #"{"tools":[]}"#
        }
        let listen = FakeServer.method("subscriptions/listen") { call in
            let wanted = call.params.value("notifications").map { value in
                JSONFragment { $0.value(value) }.description
            }
            #expect(wanted == #"{"\#(flag)":true}"#)
            let params = #"{"notifications":{"\#(flag)":true}}"#
            let name = "notifications/subscriptions/acknowledged"
            call.peer.notify(name, JSONFragment(trusted: Array(params.utf8)))
            await call.waitForInputEnd()
            return "{}"
        }
        for start in [FakeServer.initialize(Self.all), FakeServer.discover(Self.all)] {
            let client = try await ClientConnection([start, ping, listen]).client
            let changes = try await client.changes(of: topic)
            _ = try await client.tools()
            var iterator = changes.makeAsyncIterator()
            #expect(await iterator.next() != nil)
            await client.close()
        }
    }

    @Test("a subscription that the server does not answer can be cancelled")
    func cancelled() async throws {
        let capabilities = #"{"resources":{"subscribe":true}}"#
        let (requests, continuation) = AsyncStream<Void>.makeStream()
        let wait: @Sendable (Call) async throws(RPCError) -> String = { call in
            continuation.yield()
            await call.waitForInputEnd()
            return "{}"
        }
        var iterator = requests.makeAsyncIterator()
        for methods in [
            [
                FakeServer.initialize(capabilities),
                FakeServer.method("resources/subscribe", wait),
            ],
            [
                FakeServer.discover(capabilities),
                FakeServer.method("subscriptions/listen", wait),
            ],
        ] {
            let client = try await ClientConnection(methods).client
            let subscription = Task { try await client.changes(of: one) }
            _ = await iterator.next()
            subscription.cancel()
            await #expect(throws: RPCError.requestCancelled) { _ = try await subscription.value }
            await client.close()
        }
    }

    @Test("a subscription that waits for its acknowledgment fails if the server ends")
    func serverEndsDuringSubscription() async throws {
        let (requests, continuation) = AsyncStream<Void>.makeStream()
        let listen = FakeServer.method("subscriptions/listen") { call in
            continuation.yield()
            await call.waitForInputEnd()
            return "{}"
        }
        let connection = try await ClientConnection([FakeServer.discover(Self.all), listen])
        let client = connection.client
        let subscription = Task { try await client.changes(of: .tools) }
        var iterator = requests.makeAsyncIterator()
        _ = await iterator.next()
        connection.stopServer()
        await #expect(throws: RPCError.connectionEnded) { _ = try await subscription.value }
    }

    @Test("a subscription that the server ends, rejects, or accepts only in part is an error")
    func rejected() async throws {
        let name = "subscriptions/listen"
        let listeners = [
            FakeServer.method(name) { _ throws(RPCError) in throw .methodNotFound(name) },
            FakeServer.method(name) { _ in "{}" },
            FakeServer.method(name) { call in
                let params = JSONFragment.object {
                    $0.member("notifications", JSONFragment.emptyObject)
                }
                call.peer.notify("notifications/subscriptions/acknowledged", params)
                await call.waitForInputEnd()
                return "{}"
            },
        ]
        for listen in listeners {
            let methods = [FakeServer.discover(Self.all), listen]
            let client = try await ClientConnection(methods).client
            await #expect(throws: RPCError.self) { _ = try await client.changes(of: .tools) }
            await client.close()
        }
    }
}
