import JSON
import Synchronization
import SystemTestSupport
import Testing

@Suite("Names that decide what is changed", .throttled, .timeLimit(.minutes(10)))
struct ConfirmedNameTests {
    private static let (one, two) = (ZonedSalons.id(1), ZonedSalons.id(2))
    private static let time = "2099-03-02T10:00:00Z"

    private static func salon(_ id: String, _ name: String, _ more: String = "") -> String {
        #""id":"\#(id)","name":"\#(name)","location":"l","open_time":0,"close_time":0\#(more)"#
    }

    /// A server with the salon "Atelier Nova", whose list has an entity tag.
    private func server() throws -> SalonServer {
        let server = try SalonServer { request, state in
            if request.path == "/salons" {
                let tag =
                    "\""
                    + state.salons.values.map(\.members).sorted().joined().filter {
                        $0.isLetter || $0.isNumber
                    } + "\""
                if request.headers["if-none-match"] == tag { return .reply(304) }
                guard case .reply(let status, let body, _) = state.process(request) else {
                    return nil
                }
                return .reply(status, body, headers: ["ETag": tag])
            }
            if request.path.hasSuffix("/availability") { return .reply(404) }
            guard request.method == "POST" else { return nil }
            return .reply(201, request.body.dropLast() + #","id":"a\#(state.requests.count)"}"#)
        }
        server.update { $0.salons = [Self.one: (Self.salon(Self.one, "Atelier Nova"), 1)] }
        return server
    }

    /// The server after the first salon got a different name, and the second one its old name.
    private func swap(_ server: SalonServer) {
        server.update { state in
            state.salons = [
                Self.one: (Self.salon(Self.one, "Old Mill"), 2),
                Self.two: (Self.salon(Self.two, "Atelier Nova"), 1),
            ]
        }
    }

    private func bookings(_ server: SalonServer) -> [String] {
        server.requests { $0.method == "POST" }.map(\.body)
    }

    private static func params(_ salon: String) -> String {
        #"{"salonId":"\#(salon)","appointmentTime":"\#(time)","phone":"12345"}"#
    }

    @Test("a name that only one cached salon has is ambiguous if the server lists two such salons")
    func ambiguous() async throws {
        let server = try server()
        let cli = try CommandLineClient(["--base-url", server.url])
        #expect(try await cli.run("salons").code == 0)
        server.update { $0.salons[Self.two] = (Self.salon(Self.two, "Atelier Zwei"), 1) }
        for words in [["book"], ["hold"], ["book", "--dry-run"]] {
            let outcome = try await cli.run(
                [words[0], "atelier", Self.time, "--phone", "12345"] + words.dropFirst()
            )
            #expect(outcome.code == 64 && outcome.errors.contains("2 salons match"), "\(outcome)")
            #expect(outcome.errors.contains("\(Self.two)  Atelier Zwei, l"))
        }
        let deletion = try await cli.run("salon", "delete", "atelier", "--yes")
        #expect(deletion.code == 64, "\(deletion)")
        #expect(server.changes.isEmpty)
        // A command that only reads may use the cache.
        #expect(try await cli.run("slots", "old mill").code == 66)
    }

    @Test("a name means the salon that has it now")
    func renamed() async throws {
        let server = try server()
        let cli = try CommandLineClient(["--base-url", server.url])
        #expect(try await cli.run("salons").code == 0)
        swap(server)
        let outcome = try await cli.run("book", "Atelier Nova", Self.time, "--phone", "12345")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(bookings(server).count == 1 && bookings(server)[0].contains(Self.two))
        let deleted = try await cli.run("salon", "delete", "Atelier Nova", "--yes")
        #expect(deleted.code == 0, "\(deleted)")
        #expect(server.requests { $0.method == "DELETE" }.map(\.path) == ["/salons/\(Self.two)"])
    }

    @Test(
        "the methods and the tools of agents confirm a name, too",
        arguments: ["appointments/book", "appointments/hold", "salons/delete"],
        [false, true]
    )
    func methods(method: String, isAgent: Bool) async throws {
        let server = try server()
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("salons/list")
        swap(server)
        let params =
            method == "salons/delete" ? #"{"salonId":"atelier"}"# : Self.params("atelier")
        if isAgent {
            let name = method.replacing("/", with: "_")
            let call = #"{"name":"\#(name)","arguments":\#(params)}"#
            _ = try await client.call("tools/call", call)
        } else {
            _ = try await client.call(method, params)
        }
        let sent = server.changes.map { $0.path + $0.body }
        #expect(sent.count <= 1 && sent.allSatisfy { $0.contains(Self.two) }, "\(sent)")
        #expect(sent.count == 1 || isAgent && method != "appointments/book")
    }

    @Test(
        "a confirmed call is about the salon in the question",
        arguments: ElicitationClient.Generation.allCases
    )
    func shown(generation: ElicitationClient.Generation) async throws {
        let server = try server()
        let novablend = try Novablend(["--base-url", server.url])
        let client = try await ElicitationClient(novablend, generation)
        let asked = try await client.call("appointments_book", Self.params("atelier"))
        #expect(asked.question?.contains("Atelier Nova") == true)
        swap(server)
        #expect(try await client.confirm(asked).result?["isError"] == nil)
        #expect(bookings(server).count == 1 && bookings(server)[0].contains(Self.one))
    }

    @Test("a 304 confirms the cached list, and an id needs no list")
    func confirmed() async throws {
        let server = try server()
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("salons/list")
        func listRequests() -> Int { server.requests { $0.path == "/salons" }.count }
        _ = try await client.result("appointments/book", Self.params("atelier nova"))
        #expect(listRequests() == 2)
        let last = server.requests { $0.path == "/salons" }.last
        #expect(last?.headers["if-none-match"] != nil && last?.hasQuery == true)
        #expect(last?.headers["cache-control"] == "no-cache")
        _ = try await client.result("appointments/book", Self.params(Self.one))
        #expect(listRequests() == 2 && bookings(server).count == 2)
    }

    @Test("if the list cannot be confirmed, the error names the cached salons with their ids")
    func unconfirmed() async throws {
        let server = try server()
        let directory = try TemporaryDirectory()
        let client = try Novablend(["--base-url", server.url], in: directory)
        _ = try await client.result("salons/list")
        let cli = try CommandLineClient(["--base-url", server.url])
        #expect(try await cli.run("salons").code == 0)
        for (response, isOld) in [
            (SalonServer.Response.hangUp, false), (.reply(503), false),
            (.reply(200, #"{"salons":[]}"#, headers: ["Age": "60"]), true),
        ] {
            server.setFault { request, _ in request.path == "/salons" ? response : .reply(404) }
            for (method, params) in [
                ("appointments/book", Self.params("atelier")),
                ("appointments/hold", Self.params("atelier")),
                ("salons/delete", #"{"salonId":"atelier"}"#),
            ] {
                let failure = try await client.failure(method, params)
                #expect(failure.name == "bookingRequiresConnection", "\(failure)")
                #expect(failure.message.contains("Atelier Nova, l (\(Self.one))"), "\(failure)")
                let salons = try failure.data?.required("salons").array().map { try $0.object() }
                #expect(try salons?.map { try $0.required("id").string() } == [Self.one])
            }
            for words in [
                ["book", "atelier", Self.time, "--phone", "12345"],
                ["salon", "delete", "atelier", "--yes"],
            ] {
                let outcome = try await cli.run(words)
                #expect(outcome.code == 69, "\(outcome)")
                #expect(outcome.errors.contains("\(Self.one)  Atelier Nova, l"), "\(outcome)")
            }
            if isOld { continue }
            // Reading uses the cache.
            #expect(try await cli.run("salon", "show", "atelier").code == 0)
        }
        #expect(server.changes.isEmpty)
    }

    @Test("the name of a service or a staff member means the one that has it now")
    func members() async throws {
        func more(_ first: String, _ second: String) -> String {
            #","services":[{"id":"s1","name":"\#(first)","minutes":30},"#
                + #"{"id":"s2","name":"\#(second)","minutes":30}],"#
                + #""staff":[{"id":"m1","name":"\#(first) Ana"},{"id":"m2","name":"\#(second) Ana"}]"#
        }
        let server = try server()
        func set(_ first: String, _ second: String) {
            let members = Self.salon(Self.one, "Atelier Nova", more(first, second))
            server.update { $0.salons[Self.one] = (members, 1) }
        }
        set("Cut", "Color")
        let cli = try CommandLineClient(["--base-url", server.url])
        #expect(try await cli.run("salons").code == 0)
        set("Color", "Cut")
        let words = ["book", Self.one, Self.time, "--phone", "12345"]
        let booked = try await cli.run(words + ["--service", "color", "--with", "color ana"])
        #expect(booked.code == 0, "\(booked)")
        #expect(bookings(server).last?.contains(#""serviceId":"s1""#) == true)
        #expect(bookings(server).last?.contains(#""staffId":"m1""#) == true)
        server.setFault { request, _ in request.path == "/salons" ? .hangUp : nil }
        let failed = try await cli.run(words + ["--service", "cut"])
        #expect(failed.code == 69 && failed.errors.contains("s2  Cut"), "\(failed)")
        #expect(failed.errors.contains("nothing was changed"))
        #expect(bookings(server).count == 1)
    }
}
