import Foundation
import JSON
import SystemTestSupport
import Testing

/// Personal data and secrets must not be where people do not expect them: in the trace, on standard
/// error, in the data of errors, and in the headers of cached lists.
@Suite("Personal data and secrets", .throttled, .timeLimit(.minutes(10)))
struct PersonalDataTests {
    private static let phone = "+49 4711 0815 4711"
    private static let members = #","email":"canary@example.com","notes":"canary, of birds; 1980""#
    private static let canaries = ["4711 0815", "47110815", "canary", "of birds"]

    private static let salon = """
        {"id":"\(Sample.salon)","name":"n","location":"other","open_time":0.00,"close_time":23.59,\
        "version":1}
        """

    private func expectNone(
        in text: String,
        _ canaries: [String] = canaries,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(!canaries.contains(where: text.contains), "\(text)", sourceLocation: sourceLocation)
    }

    /// Books an appointment, and returns its id.
    private func booked(_ client: Novablend, hour: Int = 12) async throws -> String {
        let params = Sample.booking(hour: hour, phone: Self.phone, extra: Self.members)
        let booked = try await client.result("appointments/book", params)
        return try booked.required("appointment").object().required("id").string()
    }

    @Test("are not in the trace, whatever the method and the protocol")
    func trace() async throws {
        let backend = try await BackendProcess()
        let directory = try TemporaryDirectory()
        let file = directory.path + "/trace"
        let client = try Novablend(["--base-url", backend.url, "--trace", file], in: directory)
        let id = try await booked(client)
        for method in ["appointments/list", "appointments/export"] {
            _ = try await client.result(method)
            let tool = method.replacing("/", with: "_")
            _ = try await client.result("tools/call", #"{"name":"\#(tool)","arguments":{}}"#)
        }
        _ = try await client.result("resources/read", #"{"uri":"novablend://appointments"}"#)
        let prompt = #"{"name":"find_salon","arguments":{"where":"canary"}}"#
        _ = try await client.result("prompts/get", prompt)
        for change in [#""version":0"#, #""version":"canary""#, #""of birds":47110815"#] {
            let params = #"{"id":"\#(id)",\#(change)}"#
            _ = try await client.failure("appointments/cancel", params)
        }
        for generation in ElicitationClient.Generation.allCases {
            let asking = try await ElicitationClient(client, generation)
            let hour = generation == .inRequest ? 14 : 15
            let call = Sample.booking(hour: hour, phone: Self.phone, extra: Self.members)
            let question = try await asking.call("appointments_book", call)
            #expect(question.question?.contains("canary") == true)
            #expect(try await asking.confirm(question).result != nil)
        }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        expectNone(in: text)
        expectNone(in: client.child.standardError())
        for shown in [id, Sample.salon, "appointments/export", "text/calendar", "novablend://"] {
            #expect(text.contains(shown), "\(shown)")
        }
    }

    @Test("are not in the error of a version conflict: on standard error, in JSON-RPC, and in MCP")
    func conflict() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let id = try await booked(client)
        let params = #"{"id":"\#(id)","version":7}"#
        let failure = try await client.failure("appointments/cancel", params)
        let tool = #"{"name":"appointments_cancel","arguments":\#(params)}"#
        let result = try await client.result("tools/call", tool)
        let cli = try CommandLineClient(["--base-url", backend.url])
        let outcome = try await cli.run("cancel", id, "--version", "7", "--yes", "--json")
        #expect(outcome.code == 4)
        for data in [
            try #require(failure.data), try result.toolError().required("data").object(),
            try outcome.error().required("data").object(),
        ] {
            expectNone(in: data.text)
            let appointment = try data.required("appointment").object()
            #expect(try appointment.required("id").string() == id)
            #expect(appointment["appointmentTime"] != nil && appointment["version"] != nil)
        }
        expectNone(in: outcome.errors + result.text)
    }

    /// A server with one salon that redirects changes to a URL with the query of the request.
    @Sendable private static func redirectChanges(
        _ connection: ScriptedServer.Connection
    ) -> ScriptedServer.Response {
        let target = connection.request.split(separator: " ").dropFirst().first ?? ""
        guard connection.request.hasPrefix("GET ") else {
            return .reply("308 Permanent Redirect\r\nLocation: /new\(target)", "")
        }
        if target.contains("/availability") { return .reply("404 Not Found", "") }
        if target.contains("/salons/") { return .reply("200 OK", salon) }
        return .reply("200 OK", #"{"salons":[\#(salon)],"appointments":[],"items":[]}"#)
    }

    @Test("in the query of the base URL, a secret is not in an error, a file, or a report")
    func query() async throws {
        let server = try ScriptedServer(Self.redirectChanges)
        let directory = try TemporaryDirectory()
        let trace = directory.path + "/trace"
        let options = ["--base-url", server.url + "?key=s3cret", "--trace", trace]
        let client = try Novablend(options, in: directory)
        var shown = ""
        for list in ["salons", "appointments", "menu"] {
            #expect(try await client.result("\(list)/list").source() == "server")
            #expect(try await client.result("\(list)/list").text.contains(#""fetchedAt""#))
        }
        let booking = try await client.failure("appointments/book", Sample.booking())
        let put = try await client.failure(
            "salons/put",
            #"{"salon":\#(Self.salon.replacing("other", with: "new"))}"#
        )
        for failure in [booking, put] {
            #expect(failure.code == 1_003, "\(failure)")
            #expect(failure.message.contains("\(server.url)/new/"), "\(failure)")
            shown += failure.message + (failure.data?.text ?? "")
        }
        shown += try await client.result("cache/status").text
        shown += try String(contentsOfFile: trace, encoding: .utf8)
        let cli = try CommandLineClient(Array(options.prefix(2)))
        for words in [["doctor"], ["salons", "--json"], ["cancel", "x", "--yes", "--json"]] {
            let outcome = try await cli.run(words)
            shown += outcome.output + outcome.errors
        }
        expectNone(in: shown + client.child.standardError(), ["s3cret"])
        for root in [directory.path, cli.home.path] {
            for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
                let bytes = FileManager.default.contents(atPath: "\(root)/\(name)") ?? Data()
                expectNone(in: name + String(decoding: bytes, as: UTF8.self), ["s3cret"])
            }
        }
    }
}
