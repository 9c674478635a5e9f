import Foundation
import JSON
import SystemTestSupport
import Testing

/// Clients and proxies of MCP that turn arguments into text.
@Suite("Arguments as text", .throttled, .timeLimit(.minutes(10)))
struct TextArgumentTests {
    private func result(_ client: Novablend, _ tool: String, _ arguments: String) async throws
        -> JSONObject
    {
        try await client.result("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#)
    }

    @Test("integers, Booleans, lists, and objects may be written as text in MCP")
    func converted() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--tools", "all"])
        let listed = try await result(
            client,
            "salons_list",
            #"{"limit":"2","fields":"[\"name\"]"}"#
        )
        let salons = try listed.required("structuredContent").object().required("salons").array()
        #expect(salons.count == 2)
        #expect(try salons.allSatisfy { try $0.object()["location"] == nil })
        let booking = Sample.booking(extra: #","dryRun":"true","seats":"1""#)
        #expect(
            try await result(client, "appointments_book", booking).text.contains(#""dryRun":true"#)
        )
        #expect(try await backend.appointments().isEmpty)
        let salon =
            #"{\"id\":\"\#(Sample.salon)\",\"name\":\"N\",\"location\":\"L\",\"open_time\":9,\"close_time\":18}"#
        let put = try await result(client, "salons_put", #"{"salon":"\#(salon)","version":"1"}"#)
        #expect(put.text.contains(#""outcome":"changed""#), "\(put.text)")
    }

    @Test("a text that is a text stays one, and JSON-RPC has no such texts")
    func texts() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let found = try await result(client, "salons_list", #"{"query":"5"}"#)
        #expect(found["isError"] == nil, "\(found.text)")
        let booked = try await result(
            client,
            "appointments_book",
            Sample.booking(extra: #","notes":"7","idempotencyKey":"1""#)
        )
        let appointment = try booked.required("structuredContent").object()
        #expect(appointment.text.contains(#""notes":"7""#), "\(appointment.text)")
        #expect(try appointment.required("idempotencyKey").string() == "1")
        #expect(try await client.failure("salons/list", #"{"limit":"2"}"#).code == -32_602)
        let bad = try await result(client, "salons_list", #"{"limit":"two"}"#)
        #expect(try bad.toolError().required("code").integer() == -32_602)
    }

    @Test("a text never permits to overwrite a file")
    func overwrite() async throws {
        let backend = try await BackendProcess()
        let directory = try TemporaryDirectory()
        let client = try Novablend(["--base-url", backend.url], in: directory)
        let file = directory.path + "/calendar.ics"
        try Data("mine".utf8).write(to: URL(filePath: file))
        let arguments = #"{"file":"\#(file)","overwrite":"true"}"#
        let failed = try await result(client, "appointments_export", arguments)
        #expect(try failed.toolError().required("message").string().contains("overwrite"))
        #expect(try Data(contentsOf: URL(filePath: file)) == Data("mine".utf8))
    }

    @Test("every tool reads blank text for an optional argument as absent")
    func blank() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let listed = try await result(
            client,
            "salons_list",
            #"{"query":" ","limit":"","fields":"\t"}"#
        )
        #expect(try listed.required("structuredContent").object().count("salons") == 6)
        let booked = try await result(
            client,
            "appointments_book",
            Sample.booking(extra: #","email":" ","holdId":"\n","seats":" ","idempotencyKey":"  ""#)
        )
        #expect(booked["isError"] == nil, "\(booked.text)")
        let prompt = #"{"name":"book_appointment","arguments":{"salon":"Nova","when":" "}}"#
        let text = try await client.result("prompts/get", prompt).text
        #expect(text.contains(#"at the salon \"Nova\". Look it up"#), "\(text)")
    }
}
