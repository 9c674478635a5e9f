import Foundation
import JSON
import Synchronization
import Testing

@Suite("News of a resource", .throttled, .timeLimit(.minutes(10)))
struct ChangeNotificationTests {
    private func didChange(_ resource: String) -> String {
        #"{"jsonrpc":"2.0","method":"resource/didChange","params":{"resource":"\#(resource)"}}"#
    }

    @Test("a booking by another process that shares the directory is told, once")
    func otherProcess() async throws {
        let backend = try await BackendProcess()
        let directory = try TemporaryDirectory()
        let (one, two) = (
            try Novablend(["--base-url", backend.url], in: directory),
            try Novablend(["--base-url", backend.url], in: directory)
        )
        _ = try await one.result("appointments/list")
        _ = try await one.result("resource/subscribe", #"{"resource":"appointments"}"#)
        _ = try await two.result("appointments/book", Sample.booking())
        #expect(await one.child.line() == didChange("appointments"))
        let kept = try await one.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(try kept.count("appointments") == 1)
    }

    @Test("a booking of one's own is told once, also where nothing was kept before")
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

    @Test("staleWhileRevalidate shows what is kept, then tells that the server has something else")
    func staleWhileRevalidate() async throws {
        let salon: @Sendable (String) -> String = { name in
            #"{"id":"\#(Sample.salon)","name":"\#(name)","location":"x","#
                + #""open_time":9.00,"close_time":18.00}"#
        }
        let named = Named()
        let server = try ScriptedServer { _ in
            .reply("200 OK", #"{"salons":[\#(salon(named.value))]}"#)
        }
        let client = try Novablend(["--salons-url", server.url])
        _ = try await client.result("salons/list")
        _ = try await client.result("resource/subscribe", #"{"resource":"salons"}"#)
        named.set("New")
        let shown = try await client.result("salons/list", #"{"policy":"staleWhileRevalidate"}"#)
        #expect(try shown.source() == "cache" && shown.text.contains("Old"))
        #expect(await client.child.line() == didChange("salons"))
        let kept = try await client.result("salons/list", #"{"policy":"cacheOnly"}"#)
        #expect(kept.text.contains("New"))
    }

    @Test("an agent that listens hears of another process's booking too")
    func listener() async throws {
        let backend = try await BackendProcess()
        let directory = try TemporaryDirectory()
        let one = try Novablend(["--base-url", backend.url], in: directory)
        let two = try Novablend(["--base-url", backend.url], in: directory)
        _ = try await two.result("appointments/list")
        _ = try await one.result("resources/subscribe", #"{"uri":"novablend://appointments"}"#)
        _ = try await two.result("appointments/book", Sample.booking())
        #expect(await one.child.line()?.contains("notifications/resources/updated") == true)
    }
}

/// A name that a test changes while a server serves it.
private final class Named: Sendable {
    private let state = Mutex("Old")

    var value: String { state.withLock(\.self) }

    func set(_ name: String) { state.withLock { $0 = name } }
}
