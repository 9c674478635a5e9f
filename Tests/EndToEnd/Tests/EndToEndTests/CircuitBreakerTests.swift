import JSON
import Testing

@Suite("The circuit breaker", .throttled, .timeLimit(.minutes(10)))
struct CircuitBreakerTests {
    private let slot = Slots().take()
    private let lists = RequestCounter()

    /// A server that accepts bookings, and responds to every other request with an error.
    private func server() throws -> ScriptedServer {
        let booked = #"{"id":"1","version":1,\#(slot.members)}"#
        return try ScriptedServer { [lists] connection in
            let request = connection.request
            if request.hasPrefix("POST") { return .reply("201 Created", booked) }
            if request.contains("/availability") { return .reply("404 Not Found", "") }
            _ = lists.next()
            return .reply("503 Service Unavailable", "")
        }
    }

    @Test("a list is not requested while the breaker is open")
    func list() async throws {
        let server = try server()
        let client = try Novablend(["--base-url", server.url])
        for method in ["movies/list", "menu/list", "feed/list"] {
            #expect(try await client.failure(method).message.contains("503"))
        }
        let count = lists.value
        let failure = try await client.failure("salons/list")
        #expect(failure.code == 1_004 && !failure.message.contains("503"), "\(failure.message)")
        #expect(lists.value == count)
    }

    @Test("a booking is sent while the breaker is open")
    func booking() async throws {
        let server = try server()
        let client = try Novablend(["--base-url", server.url])
        for method in ["movies/list", "menu/list", "feed/list"] {
            _ = try await client.failure(method)
        }
        let booked = try await client.result("appointments/book", "{\(slot.members)}")
        #expect(booked.text.contains(slot.time))
    }

    @Test(
        "images that cannot be loaded do not keep lists from being requested",
        arguments: [ScriptedServer.Response.reply("503 Service Unavailable", ""), .hangUp]
    )
    func images(fault: ScriptedServer.Response) async throws {
        let server = try ImageServer { connection in
            connection.request.hasPrefix("GET /a") ? fault : .reply("200 OK", #"{"salons":[]}"#)
        }
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("feed/list")
        for _ in 1...3 {
            _ = try await client.failure("feed/image", #"{"url":"\#(server.url)/a"}"#)
        }
        #expect(try await client.result("salons/list").source() == "server")
    }

    @Test("lists are requested again after lost connections")
    func lostConnections() async throws {
        let server = try ScriptedServer { connection in
            connection.request.hasPrefix("GET /salons")
                ? .reply("200 OK", #"{"salons":[]}"#) : .hangUp
        }
        let client = try Novablend(["--base-url", server.url])
        for method in ["movies/list", "menu/list", "feed/list"] {
            _ = try await client.call(method)
        }
        #expect(try await client.result("salons/list").source() == "server")
    }

    @Test("without a connection the result stays an empty list, as the seeds require")
    func noConnection() async throws {
        let client = try Novablend(["--base-url", "http://127.0.0.1:1"])
        for _ in 1...5 {
            let list = try await client.result("salons/list")
            #expect(try list.source() == "none" && list.count("salons") == 0)
        }
    }
}
