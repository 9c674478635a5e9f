import Foundation
import JSON
import Testing

/// MCP clients of both generations of the protocol.
@Suite("Agents", .throttled, .timeLimit(.minutes(10)))
struct AgentTests {
    private let modern =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
        + #""io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#

    private func tool(_ name: String, _ arguments: String, _ members: String = "") -> String {
        #"{"name":"\#(name)","arguments":\#(arguments)\#(members.isEmpty ? "" : "," + members)}"#
    }

    @Test("a client of 2025-06-18 lists a page, books, and is notified of the change")
    func earlierGeneration() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let handshake =
            #"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t"}}"#
        let initialized = try await client.result("initialize", handshake)
        #expect(try initialized.required("protocolVersion").string() == "2025-06-18")
        let page = try await client.result("tools/call", tool("salons_list", #"{"limit":4}"#))
        let salons = try page.required("structuredContent").object()
        #expect(try salons.count("salons") == 4 && salons.required("total").integer() == 6)
        _ = try await client.result("resources/subscribe", #"{"uri":"novablend://appointments"}"#)
        client.send(7, "tools/call", tool("appointments_book", Sample.booking()))
        let notification = try #require(await client.child.line())
        #expect(
            notification.contains("resources/updated")
                && notification.contains("novablend://appointments")
        )
        let booked = try await client.nextResponse()
        #expect(booked.text.contains(#""structuredContent":{"appointment":{"#))
        let read = try await client.result(
            "resources/read",
            #"{"uri":"novablend://appointments"}"#
        )
        #expect(read.text.contains(Sample.salon))
        let several = #"{"uri":"novablend://salons/zzz"}"#
        let error = try await client.call("resources/read", several).required("error").object()
        #expect(try error.required("message").string().contains("salons_list"), "\(error.text)")
    }

    @Test(
        "an error of a method is a tool result with isError, the same code and data, and today's date"
    )
    func sameFailures() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("appointments/book", Sample.booking())
        let plain = try await client.failure("appointments/book", Sample.booking())
        let result = try await client.result(
            "tools/call",
            tool("appointments_book", Sample.booking())
        )
        #expect(try result.required("isError").bool())
        let error = try result.toolError()
        #expect(try error.required("code").integer() == plain.code && plain.code == 1202)
        let data = try error.required("data").object()
        // The message has the reason, and what day it is, because models do not know that.
        let members = try #require(plain.data).map(\.key).filter { $0 != "reason" }
        #expect(data.map(\.key) == members && members.contains("now"))
        let now = try data.required("now").string()
        let message = try error.required("message").string()
        #expect(message.hasPrefix(plain.message + ". It is ") && message.hasSuffix("day, " + now))
    }

    @Test("a client of 2026-07-28 confirms a question; repeating the confirmation books only once")
    func confirmed() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let booking = Sample.booking()
        let question = try await client.result(
            "tools/call",
            tool("appointments_book", booking, modern)
        )
        #expect(try question.required("resultType").string() == "input_required")
        #expect(question.text.contains("Phone: +49 30 1234567"))
        let state = try question.required("requestState").string()
        let yes = #""inputResponses":{"confirm":{"action":"accept","content":{"confirm":true}}}"#
        let again = #"\#(modern),\#(yes),"requestState":"\#(state)""#
        for _ in 0..<2 {
            let booked = try await client.result(
                "tools/call",
                tool("appointments_book", booking, again)
            )
            #expect(booked["isError"] == nil)
        }
        #expect(try await client.result("appointments/list").count("appointments") == 1)
    }

    @Test("nothing is booked if the user declines")
    func declined() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let question = try await client.result(
            "tools/call",
            tool("appointments_book", Sample.booking(), modern)
        )
        let state = try question.required("requestState").string()
        let no = #""inputResponses":{"confirm":{"action":"decline"}},"requestState":"\#(state)""#
        let declined = try await client.result(
            "tools/call",
            tool("appointments_book", Sample.booking(), modern + "," + no)
        )
        #expect(declined.text.contains("declined") && declined["isError"] != nil)
        #expect(try await client.result("appointments/list").count("appointments") == 0)
    }

    @Test("an agent finds a free time and books it")
    func findsSlot() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        // The salon is closed on Sunday and on some holidays.
        let days = [2, 4].map {
            Date(timeIntervalSinceNow: $0 * 86_400).formatted(.iso8601.year().month().day())
        }
        let salon = "5a100000-0000-4000-8000-000000000004"
        let range = #"{"salonId":"\#(salon)","start":"\#(days[0])","end":"\#(days[1])"}"#
        let found = try await client.result("tools/call", tool("salons_availability", range))
        let availability = try found.required("structuredContent").object()
        let time = try #require(availability.starts().first)
        let booking = #"{"salonId":"\#(salon)","appointmentTime":"\#(time)","phone":"12345"}"#
        let booked = try await client.result("tools/call", tool("appointments_book", booking))
        #expect(booked["isError"] == nil)
        #expect(booked.text.contains(#""zone":"Europe/Madrid""#))
    }

    @Test("typed text is completed to salon names and ids")
    func completion() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let name = #""ref":{"type":"ref/prompt","name":"book_appointment"}"#
        let typed = #""argument":{"name":"salon","value":"sCHER"}"#
        let names = try await client.result("completion/complete", "{\(name),\(typed)}")
        #expect(names.text.contains(#"["Scherenschnitt"]"#))
        let template = #""ref":{"type":"ref/resource","uri":"novablend://salons/{id}"}"#
        let id = #""argument":{"name":"id","value":"scher"}"#
        let ids = try await client.result("completion/complete", "{\(template),\(id)}")
        #expect(ids.text.contains(#"["\#(Sample.salon)"]"#))
    }

    @Test(
        "fields selects the members of salons, and an unknown field is an error that lists the known ones"
    )
    func fields() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let list = try await client.result("salons/list", #"{"fields":["name"],"limit":1}"#)
        let salon = #"{"id":"\#(Sample.salon)","name":"Scherenschnitt"}"#
        #expect(list.text.hasPrefix(#"{"salons":[\#(salon)],"#))
        let failure = try await client.failure("salons/list", #"{"fields":["nam"]}"#)
        #expect(failure.code == -32602 && failure.message.contains("open_time"))
    }

    @Test("with a workDoneToken, progress is reported before the response")
    func progress() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        client.send(1, "salons/list", #"{"workDoneToken":"w"}"#)
        let kinds = ["begin", "report", "end", "result"]
        for kind in kinds {
            #expect(await client.child.line()?.contains("\"\(kind)\"") == true)
        }
    }
}
