import Foundation
import JSON
import SystemTestSupport
import Testing

/// Changes by other machines, which only the server's feed reports.
@Suite("Changes at the server", .throttled, .timeLimit(.minutes(10)))
struct PushTests {
    /// A client with directories of its own, or those of a different one, that subscribes.
    private func subscriber(
        _ url: String,
        in directory: TemporaryDirectory? = nil,
        to resource: String = "appointments"
    ) async throws -> Novablend {
        let client = try Novablend(["--base-url", url], in: directory)
        _ = try await client.result("\(resource)/list")
        _ = try await client.result("resource/subscribe", #"{"resource":"\#(resource)"}"#)
        return client
    }

    /// The params of the next notification.
    private func nextChange(_ client: Novablend) async throws -> JSONObject {
        let line = try #require(await client.child.line())
        let notification = try JSONDocument(parsing: Array(line.utf8)).root.object()
        #expect(try notification.required("method").string() == "resource/didChange")
        return try notification.required("params").object()
    }

    /// The ids in the member `name` of the next notification that is not about an outage.
    private func nextIDs(
        _ name: String,
        _ client: Novablend,
        ignoringOutages: Bool = true
    ) async throws -> [String] {
        var change = try await nextChange(client)
        while ignoringOutages, change["offline"] != nil { change = try await nextChange(client) }
        return try change.required(named: name).array().map { try $0.string() }
    }

    @Test("are reported to every subscriber, while one process waits for all of them")
    func oneWaits() async throws {
        let server = try FeedServer()
        let directory = try TemporaryDirectory()
        let first = try await subscriber(server.url, in: directory)
        await server.waitForClient()
        let second = try await subscriber(server.url, in: directory)
        for id in ["a", "b", "c"] {
            server.add(id)
            for client in [first, second] {
                #expect(try await nextIDs("changed", client) == [id])
            }
            await server.waitForClient()
        }
        #expect(server.maximumWaiting == 1)
        let lists = server.requests.filter { $0 == "/appointments" }
        #expect(lists.count == 1, "\(server.requests)")
    }

    @Test("say when the server stops answering, with the reason, and when it answers again")
    func outage() async throws {
        let server = try FeedServer()
        let client = try await subscriber(server.url)
        await server.waitForClient()
        server.set(isOffline: true)
        let outage = try await nextChange(client)
        #expect(try outage.required("resource").string() == "appointments")
        #expect(try outage.count("changed") == 0 && outage.count("deleted") == 0)
        #expect(
            try outage.required("offline").bool() && !outage.required("reason").string().isEmpty
        )
        #expect(try outage.required("since").string().hasSuffix("Z"))
        server.set(isOffline: false)
        let recovery = try await nextChange(client)
        #expect(try !recovery.required("offline").bool() && recovery["since"] == nil)
        server.add("a")
        #expect(try await nextIDs("changed", client) == ["a"])
    }

    @Test("are reported without an outage, although a proxy cuts long waits")
    func cutWaits() async throws {
        let server = try FeedServer()
        let client = try await subscriber(server.url)
        server.set(.cut(milliseconds: 1_500))
        // The first wait may have begun before that.
        await server.waitForClient()
        server.add("a")
        #expect(try await nextIDs("changed", client, ignoringOutages: false) == ["a"])
        for id in ["b", "c"] {
            // The wait before the last one is over.
            for _ in 1...2 { await server.waitForClient() }
            server.add(id)
            #expect(try await nextIDs("changed", client, ignoringOutages: false) == [id])
        }
        #expect(server.requests.filter { $0 == "/appointments" }.count == 1)
    }

    @Test("are reported without an outage, and without the feed, if the feed stops working")
    func failingFeed() async throws {
        let server = try FeedServer()
        let client = try await subscriber(server.url)
        await server.waitForClient()
        server.set(.failing(status: "502 Bad Gateway"))
        for id in ["a", "b"] {
            server.add(id)
            #expect(try await nextIDs("changed", client, ignoringOutages: false) == [id])
        }
        #expect(server.requests.filter { $0 == "/appointments" }.count >= 2)
    }

    @Test("are reported although the feed does not wait, which is not asked all the time")
    func impatientFeed() async throws {
        let server = try FeedServer()
        server.set(.impatient)
        let client = try await subscriber(server.url)
        for _ in 1...3 { await server.waitForClient() }
        server.add("a")
        #expect(try await nextIDs("changed", client, ignoringOutages: false) == ["a"])
        #expect(server.requests.count < 12)
    }

    @Test("end with an outage that every process reports, although one asks the server")
    func sharedOutage() async throws {
        let server = try FeedServer()
        let directory = try TemporaryDirectory()
        var clients: [Novablend] = []
        for _ in 0..<3 { clients.append(try await subscriber(server.url, in: directory)) }
        await server.waitForClient()
        for isOffline in [true, false, true, false] {
            server.set(isOffline: isOffline)
            for client in clients {
                #expect(try await nextChange(client).required("offline").bool() == isOffline)
            }
        }
        // The next leader knows it, too.
        server.set(isOffline: true)
        for client in clients { _ = try await nextChange(client) }
        clients[0].child.kill()
        server.set(isOffline: false)
        for client in clients.dropFirst() {
            #expect(try await nextChange(client).required("offline").bool() == false)
        }
    }

    @Test("are requested outside of the trace of the call that subscribes")
    func untraced() async throws {
        let server = try FeedServer()
        let client = try Novablend(["--base-url", server.url])
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let meta = #""_meta":{"traceparent":"\#(parent)"}"#
        _ = try await client.result("appointments/list", "{\(meta)}")
        let resource = #""resource":"appointments""#
        _ = try await client.result("resource/subscribe", "{\(resource),\(meta)}")
        await server.waitForClient()
        let traces = server.traces
        #expect(traces.first == parent && traces.dropFirst().allSatisfy { $0 == nil })
    }

    @Test("are reported when the process that waited has been killed or stopped listening")
    func takeover() async throws {
        let server = try FeedServer()
        let directory = try TemporaryDirectory()
        let first = try await subscriber(server.url, in: directory)
        await server.waitForClient()
        let second = try await subscriber(server.url, in: directory)
        first.child.kill()
        await server.waitForClient()
        server.add("a")
        #expect(try await nextIDs("changed", second) == ["a"])
        await server.waitForClient()
        let third = try await subscriber(server.url, in: directory)
        _ = try await second.result("resource/unsubscribe", #"{"resource":"appointments"}"#)
        await server.waitForClient()
        server.add("b")
        #expect(try await nextIDs("changed", third) == ["b"])
    }

    @Test(
        "are not requested while no one is subscribed, over JSON-RPC or MCP",
        arguments: [false, true]
    )
    func unsubscribed(isMCP: Bool) async throws {
        let server = try FeedServer()
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("appointments/list")
        let prefix = isMCP ? "resources" : "resource"
        let params =
            isMCP ? #"{"uri":"novablend://appointments"}"# : #"{"resource":"appointments"}"#
        _ = try await client.result("\(prefix)/subscribe", params)
        await server.waitForClient()
        _ = try await client.result("\(prefix)/unsubscribe", params)
        let deadline = ContinuousClock.now + .seconds(60)
        while server.waiting > 0 {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
        let requests = server.requests
        _ = try await client.result("cache/status")
        #expect(server.requests == requests)
    }

    @Test("by a different machine are reported with the ids, over JSON-RPC and over MCP")
    func otherMachine() async throws {
        let backend = try await BackendProcess()
        let subscriber = try await subscriber(backend.url)
        let agent = try Novablend(["--base-url", backend.url])
        _ = try await agent.result("appointments/list")
        _ = try await agent.result("resources/subscribe", #"{"uri":"novablend://appointments"}"#)
        let other = try Novablend(["--base-url", backend.url])
        let booked = try await other.result("appointments/book", Sample.booking())
        let id = try booked.required("appointment").object().required("id").string()
        #expect(try await nextIDs("changed", subscriber) == [id])
        #expect(await agent.child.line()?.contains("resources/updated") == true)
        _ = try await other.result("appointments/cancel", #"{"id":"\#(id)"}"#)
        #expect(try await nextIDs("changed", subscriber) == [id])
        let cached = try await subscriber.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(try cached.count("appointments") == 0)
    }

    @Test("are reported after the backend was killed and has started again")
    func restarted() async throws {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        let backend = try await BackendProcess(database: database)
        let subscriber = try await subscriber(backend.url)
        backend.child.kill()
        let second = try await BackendProcess(port: backend.port, database: database)
        let other = try Novablend(["--base-url", second.url])
        let booked = try await other.result("appointments/book", Sample.booking())
        let id = try booked.required("appointment").object().required("id").string()
        #expect(try await nextIDs("changed", subscriber) == [id])
    }
}
