import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("A client of a backend that requires tokens", .throttled, .timeLimit(.minutes(10)))
struct BackendTokenTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.path + "/db.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    /// Runs a command of the backend with the database, and returns its output without the line end.
    @discardableResult
    private func run(_ words: String...) async throws -> String { try await run(words) }

    private func run(_ words: [String]) async throws -> String {
        let child = try ChildProcess(Binaries.backend, words + ["--database", database])
        child.endInput()
        let output = await child.remainingOutput()
        let code = await child.exitCode()
        try #require(code == 0, "\(child.standardError())")
        return output.trimmingCharacters(in: .newlines)
    }

    /// A client with the token in a file.
    private func client(of backend: BackendProcess, _ token: String) throws -> Novablend {
        let file = directory.path + "/token-\(token.hash)"
        try Data("\(token)\n".utf8).write(to: URL(filePath: file))
        chmod(file, 0o600)
        return try Novablend(["--base-url", backend.url, "--token-file", file])
    }

    /// Starts a backend whose salons are the samples, and creates a token.
    private func start(
        _ options: String...
    ) async throws -> (backend: BackendProcess, token: String) {
        await (try BackendProcess(database: database)).stop()
        let token = try await run("tokens", "create", "--role", "administrator")
        return (try await BackendProcess(database: database, options), token)
    }

    @Test("books and lists with a token, and is not authenticated without one")
    func token() async throws {
        let (backend, token) = try await start()
        let client = try client(of: backend, token)
        _ = try await client.result("appointments/book", Sample.booking())
        #expect(try await client.result("appointments/list").count("appointments") == 1)
        let stranger = try Novablend(["--base-url", backend.url])
        #expect(try await stranger.result("salons/list").count("salons") == 6)
        let failure = try await stranger.failure("appointments/list")
        #expect(failure.code == 1_005 && failure.name == "notAuthenticated")
        let booking = try await stranger.failure("appointments/book", Sample.booking(hour: 13))
        #expect(booking.code == 1_005)
        #expect(try await client.result("appointments/list").count("appointments") == 1)
    }

    /// Gives the sample salon a new name.
    private func rename(
        to name: String,
        at backend: BackendProcess,
        _ token: String
    ) async throws {
        let salon =
            #"{"id":"\#(Sample.salon)","name":"\#(name)","location":"x","#
            + #""open_time":9.00,"close_time":18.00}"#
        let fields = "If-Match: *\r\nAuthorization: Bearer \(token)\r\n"
        let request = HTTPRequest.json("PUT", "/salons/\(Sample.salon)", salon, fields: fields)
        let response = try await backend.response(to: request)
        try #require(response.status == 200, "\(response.text)")
    }

    @Test("follows the salons without a token, with a revoked one, and with an unknown one")
    func publicSalons() async throws {
        let (backend, token) = try await start()
        let revoked = try await run("tokens", "create", "--role", "administrator")
        let clients = [
            try Novablend(["--base-url", backend.url]), try client(of: backend, revoked),
            try client(of: backend, "unknown"),
        ]
        _ = try await clients[1].result("salons/list")
        try await run("tokens", "revoke", String(revoked.split(separator: "_")[1]))
        for name in ["first", "second", "third"] {
            try await rename(to: name, at: backend, token)
            for client in clients {
                let list = try await client.result("salons/list", #"{"policy":"serverOnly"}"#)
                #expect(list.text.contains(#""name":"\#(name)""#))
            }
        }
        let subscriber = clients[0]
        _ = try await subscriber.result("resource/subscribe", #"{"resource":"salons"}"#)
        try await rename(to: "fourth", at: backend, token)
        #expect(await subscriber.child.line()?.contains("[\"\(Sample.salon)\"]") == true)
    }

    @Test("may book with the phone number of its token, and no other one")
    func customer() async throws {
        let backend = try await start().backend
        let words = ["tokens", "create", "--role", "customer", "--phone", "+49 30 1234567"]
        let client = try client(of: backend, try await run(words))
        _ = try await client.result("appointments/book", Sample.booking())
        let other = Sample.booking(hour: 13, phone: "+49 30 7654321")
        let failure = try await client.failure("appointments/book", other)
        #expect(failure.code == 1_006 && failure.name == "notAllowed")
        #expect(try await client.result("appointments/list").count("appointments") == 1)
    }

    @Test("says how many appointments its customer may have, with holds")
    func limitOfCustomer() async throws {
        let backend = try await start("--max-active-per-customer", "2").backend
        let words = ["tokens", "create", "--role", "customer", "--phone", "+49 30 1234567"]
        let client = try client(of: backend, try await run(words))
        let first = try await client.result("appointments/book", Sample.booking(hour: 10))
        _ = try await client.result("appointments/hold", Sample.booking(hour: 11))
        for method in ["appointments/book", "appointments/hold"] {
            let failure = try await client.failure(method, Sample.booking(hour: 12))
            #expect(failure.code == 1_218 && failure.name == "tooManyAppointments")
            #expect(failure.message.contains("may have 2 active appointments at all salons"))
            #expect(try failure.data?.required("limit").integer() == 2)
        }
        let id = try first.required("appointment").object().required("id").string()
        _ = try await client.result("appointments/cancel", #"{"id":"\#(id)"}"#)
        _ = try await client.result("appointments/book", Sample.booking(hour: 12))
        let failure = try await client.failure("appointments/book", Sample.booking(hour: 13))
        #expect(failure.name == "tooManyAppointments")
        #expect(try failure.data?.required("limit").integer() == 2)
    }

    @Test("learns from slots and errors that a time is too far ahead for customers")
    func furthestDay() async throws {
        let (backend, administrator) = try await start()
        let words = ["tokens", "create", "--role", "customer", "--phone", "+49 30 1234567"]
        let customer = try client(of: backend, try await run(words))
        let owl = "5a100000-0000-4000-8000-000000000005"
        let day = Date(timeIntervalSinceNow: 802 * 86_400).formatted(.iso8601.year().month().day())
        let booking =
            #"{"salonId":"\#(owl)","appointmentTime":"\#(day)T19:00","phone":"+49 30 1234567""#
        // The salon does not state the rule, and the slots say only that this one is not offered.
        for extra in [#","dryRun":true}"#, "}"] {
            let failure = try await customer.failure("appointments/book", booking + extra)
            #expect(failure.name == "notBookable", "\(failure)")
            #expect(try failure.data?.required("rule").string() == "other")
        }
        let range =
            #"{"salonId":"\#(owl)","start":"\#(day)T19:00","end":"\#(day)T19:30","#
            + #""explain":"\#(day)T19:00"}"#
        let slots = try await customer.result("salons/availability", range)
        #expect(slots.text.contains(#""reason":"the server lists no free time""#), "\(slots.text)")
        for text in [#""bookable""#, #""rule""#, #""taken""#, #""free""#] {
            #expect(!slots.text.contains(text), "\(slots.text)")
        }
        let staff = try client(of: backend, administrator)
        _ = try await staff.result("appointments/book", booking + "}")
    }

    @Test("is no longer authenticated after its token was revoked, and says nothing about it")
    func revoked() async throws {
        let (backend, token) = try await start()
        let client = try client(of: backend, token)
        _ = try await client.result("appointments/list")
        let id = token.split(separator: "_")[1]
        #expect(try await run("tokens", "list").contains(id))
        try await run("tokens", "revoke", String(id))
        let deadline = ContinuousClock.now + .seconds(60)
        var reply = try await client.call("appointments/list")
        while reply["result"] != nil, ContinuousClock.now < deadline {
            reply = try await client.call("appointments/list")
        }
        #expect(try reply.required("error").object().required("code").integer() == 1_005)
        #expect(!reply.text.contains(id))
        #expect(!client.child.standardError().contains(id))
        #expect(!backend.child.standardError().contains(id))
    }

    @Test("reports how long to wait if the token is used for too many requests")
    func limited() async throws {
        let (backend, token) = try await start("--rate-limit", "1")
        let request = HTTPRequest(
            text: "GET /appointments HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer \(token)\r\n\r\n"
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Others take each request that the limit allows.
            for _ in 0..<4 {
                group.addTask {
                    while !Task.isCancelled { _ = try await backend.response(to: request) }
                }
            }
            defer { group.cancelAll() }
            let deadline = ContinuousClock.now + .seconds(120)
            // A client whose request the limit allowed would list from its cache from then on.
            var reply = try await client(of: backend, token).call("appointments/list")
            while reply["result"] != nil, ContinuousClock.now < deadline {
                reply = try await client(of: backend, token).call("appointments/list")
            }
            let error = try reply.required("error").object()
            #expect(try error.required("code").integer() == 1_004)
            let data = try error.required("data").object()
            #expect(try data.required("retryAfterSeconds").integer() == 1)
        }
    }
}
