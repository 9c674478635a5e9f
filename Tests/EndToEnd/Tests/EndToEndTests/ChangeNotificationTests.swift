import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

@Suite("Change notifications", .throttled, .timeLimit(.minutes(10)))
struct ChangeNotificationTests {
    /// What the next notification says has changed in `resource`: the ids, or `all`.
    private func nextChange(_ client: Novablend, _ resource: String) async throws -> [String] {
        let line = try #require(await client.child.line())
        let notification = try JSONDocument(parsing: Array(line.utf8)).root.object()
        #expect(try notification.required("method").string() == "resource/didChange", "\(line)")
        let params = try notification.required("params").object()
        #expect(try params.required("resource").string() == resource, "\(line)")
        if params["all"] != nil { return ["all"] }
        #expect(try params.source() == "cache", "\(line)")
        return try ["changed", "deleted"].flatMap { name in
            try params.required(named: name).array().map { "\(name) \(try $0.string())" }
        }
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
        let booked = try await other.result("appointments/book", Sample.booking())
        let id = try booked.required("appointment").object().required("id").string()
        #expect(try await nextChange(subscriber, "appointments") == ["changed \(id)"])
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
            try Self.remove(cache)
        }
        #expect(try await nextChange(subscriber, "appointments") == ["all"])
        _ = try await other.result("appointments/book", Sample.booking())
        #expect(try await nextChange(subscriber, "appointments") == ["all"])
        let cached = try await subscriber.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(try cached.count("appointments") == 1)
    }

    /// Removes a directory in which a process may store a file in the meantime, which makes an attempt
    /// fail.
    private static func remove(_ directory: String) throws {
        for _ in 0..<100 {
            if (try? FileManager.default.removeItem(atPath: directory)) != nil { return }
        }
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test("a process reports its own booking once, even if nothing was cached before")
    func ownBooking() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("resource/subscribe", #"{"resource":"appointments"}"#)
        client.send(7, "appointments/book", Sample.booking())
        #expect(try await nextChange(client, "appointments") == ["all"])
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
        #expect(try await nextChange(client, "salons") == ["changed \(Sample.salon)"])
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
