import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

@Suite("Change notifications", .throttled, .timeLimit(.minutes(10)))
struct ChangeNotificationTests {
    private func didChange(_ resource: String) -> String {
        #"{"jsonrpc":"2.0","method":"resource/didChange","params":{"resource":"\#(resource)"}}"#
    }

    /// Two processes with the same directories, of which the first one has subscribed to appointments.
    private func processes(
        in directory: TemporaryDirectory,
        of backend: BackendProcess
    ) async throws -> (subscriber: Novablend, other: Novablend) {
        let (subscriber, other) = (
            try Novablend(["--base-url", backend.url], in: directory),
            try Novablend(["--base-url", backend.url], in: directory)
        )
        _ = try await subscriber.result("appointments/list")
        _ = try await subscriber.result("resource/subscribe", #"{"resource":"appointments"}"#)
        return (subscriber, other)
    }

    @Test("a booking by a different process with the same directories is reported")
    func otherProcess() async throws {
        let backend = try await BackendProcess()
        let directory = try TemporaryDirectory()
        let (subscriber, other) = try await processes(in: directory, of: backend)
        _ = try await other.result("appointments/book", Sample.booking())
        #expect(await subscriber.child.line() == didChange("appointments"))
        let cached = try await subscriber.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(try cached.count("appointments") == 1)
    }

    @Test(
        "changes are reported after the cache was deleted or moved, which is reported once",
        arguments: [true, false]
    )
    func lostCache(isMoved: Bool) async throws {
        let backend = try await BackendProcess()
        let directory = try TemporaryDirectory()
        let (subscriber, other) = try await processes(in: directory, of: backend)
        let cache = directory.path + "/cache"
        if isMoved {
            try FileManager.default.moveItem(atPath: cache, toPath: directory.path + "/moved")
        } else {
            try FileManager.default.removeItem(atPath: cache)
        }
        #expect(await subscriber.child.line() == didChange("appointments"))
        _ = try await other.result("appointments/book", Sample.booking())
        #expect(await subscriber.child.line() == didChange("appointments"))
        let cached = try await subscriber.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(try cached.count("appointments") == 1)
    }

    @Test("a process reports its own booking once, even if nothing was cached before")
    func ownBooking() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("resource/subscribe", #"{"resource":"appointments"}"#)
        client.send(7, "appointments/book", Sample.booking())
        #expect(await client.child.line() == didChange("appointments"))
        #expect(await client.child.line()?.contains(#""id":7,"result""#) == true)
        _ = try await client.result("resource/unsubscribe", #"{"resource":"appointments"}"#)
        _ = try await client.result("appointments/book", Sample.booking(hour: 14))
    }

    @Test("staleWhileRevalidate returns the cached list, and reports when the server has a new one")
    func staleWhileRevalidate() async throws {
        let salon: @Sendable (String) -> String = { salonName in
            #"{"id":"\#(Sample.salon)","name":"\#(salonName)","location":"x","#
                + #""open_time":9.00,"close_time":18.00}"#
        }
        let name = ChangeableName()
        let server = try ScriptedServer { _ in
            .reply("200 OK", #"{"salons":[\#(salon(name.value))]}"#)
        }
        let client = try Novablend(["--salons-url", server.url])
        _ = try await client.result("salons/list")
        _ = try await client.result("resource/subscribe", #"{"resource":"salons"}"#)
        name.set("New")
        let shown = try await client.result("salons/list", #"{"policy":"staleWhileRevalidate"}"#)
        #expect(try shown.source() == "cache" && shown.text.contains("Old"))
        #expect(await client.child.line() == didChange("salons"))
        let cached = try await client.result("salons/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains("New"))
    }

    @Test("an MCP client is notified of a booking by a different process")
    func mcpClient() async throws {
        let backend = try await BackendProcess()
        let directory = try TemporaryDirectory()
        let subscriber = try Novablend(["--base-url", backend.url], in: directory)
        let other = try Novablend(["--base-url", backend.url], in: directory)
        _ = try await other.result("appointments/list")
        _ = try await subscriber.result(
            "resources/subscribe",
            #"{"uri":"novablend://appointments"}"#
        )
        _ = try await other.result("appointments/book", Sample.booking())
        #expect(await subscriber.child.line()?.contains("notifications/resources/updated") == true)
    }
}

/// The name of a salon, which a test changes while a server runs.
private final class ChangeableName: Sendable {
    private let state = Mutex("Old")

    var value: String { state.withLock(\.self) }

    func set(_ name: String) { state.withLock { $0 = name } }
}
