import JSON
import Testing

/// Servers that accept connections and do not answer, or not all requests. The calls have two seconds.
@Suite("Calls that make no progress", .throttled, .timeLimit(.minutes(10)))
struct CallBudgetTests {
    private static let timeout = ["--timeout", "2"]

    @Test(
        "a list of a server that never answers is an error",
        arguments: ["salons/list", "appointments/list", "menu/list"]
    )
    func lists(method: String) async throws {
        let server = try HangingServer()
        let client = try Novablend(["--base-url", server.url] + Self.timeout)
        let failure = try await client.failure(method)
        #expect(failure.name == "unavailable", "\(failure)")
    }

    @Test("a booking whose request never gets an answer is in doubt with its key")
    func booking() async throws {
        let posts = RequestCounter()
        let server = try HangingServer { connection in
            if connection.request.hasPrefix("POST") {
                _ = posts.next()
                return nil
            }
            return connection.request.hasPrefix("GET /appointments")
                ? .reply("200 OK", #"{"appointments":[]}"#) : .reply("404 Not Found", "")
        }
        let client = try Novablend(["--base-url", server.url] + Self.timeout)
        let params = "{\(Slots().take().members),\"idempotencyKey\":\"k\"}"
        #expect(try await client.callInDoubt("appointments/book", params) == "k")
        #expect(try await client.openKeys() == ["k"])
        #expect(posts.value == 1)
    }

    @Test("a booking at a server that never answers at all is in doubt, or was not sent")
    func silence() async throws {
        let server = try HangingServer()
        let client = try Novablend(["--base-url", server.url] + Self.timeout)
        let params = "{\(Slots().take().members),\"idempotencyKey\":\"k\"}"
        let failure = try await client.failure("appointments/book", params)
        let isOpen = try await client.openKeys() == ["k"]
        #expect(failure.name == (isOpen ? "bookingInDoubt" : "bookingRequiresConnection"))
    }

    @Test("what a booking can do without leaves time to send it")
    func optionalParts() async throws {
        let posts = RequestCounter()
        let server = try HangingServer { connection in
            guard connection.request.hasPrefix("POST") else { return nil }
            _ = posts.next()
            return .reply("201 Created", connection.body)
        }
        let client = try Novablend(["--base-url", server.url, "--timeout", "16"])
        _ = try await client.call("appointments/book", "{\(Slots().take().members)}")
        #expect(posts.value == 1)
        let cli = try CommandLineClient(["--base-url", server.url, "--timeout", "16"])
        _ = try await cli.book("12:00")
        #expect(posts.value == 2)
    }

    @Test("a command has one budget for all its calls")
    func command() async throws {
        let server = try HangingServer()
        let cli = try CommandLineClient(["--base-url", server.url] + Self.timeout)
        for words in [["salons"], ["services", "Anything"], ["appointments"]] {
            let outcome = try await cli.run(words)
            #expect(outcome.code == 69, "\(outcome)")
        }
    }
}
