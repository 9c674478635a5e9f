import Foundation
import JSON
import SystemTestSupport
import Testing

/// `serve --confirm`.
@Suite("Consent to the calls of agents", .throttled, .timeLimit(.minutes(10)))
struct ConsentTests {
    private static let meta =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
        + #""io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#

    private func call(
        _ client: Novablend,
        _ tool: String,
        _ arguments: String,
        _ members: String = meta
    ) async throws -> JSONObject {
        let call = #""name":"\#(tool)","arguments":\#(arguments)"#
        return try await client.result("tools/call", "{\(call),\(members)}")
    }

    private func name(of error: JSONObject) throws -> String {
        try error.required("data").object().required("name").string()
    }

    private func isQuestion(_ result: JSONObject) throws -> Bool {
        try result["resultType"]?.string() == "input_required"
    }

    @Test("always rejects a booking that the client cannot confirm")
    func always() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--confirm", "always"])
        let result = try await client.result(
            "tools/call",
            #"{"name":"appointments_book","arguments":\#(Sample.booking())}"#
        )
        let error = try result.toolError()
        #expect(try name(of: error) == "declined")
        #expect(try error.required("message").string().contains("--confirm"))
        #expect(try await client.result("appointments/list").count("appointments") == 0)
    }

    @Test("never books without a question")
    func never() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--confirm", "never"])
        let booked = try await call(client, "appointments_book", Sample.booking())
        #expect(try !isQuestion(booked) && booked["isError"] == nil)
    }

    @Test("destructive asks for a booking only if it leaves something open, and for a cancellation")
    func destructive() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--confirm", "destructive"])
        let named = Sample.booking(salon: "Scherenschnitt")
        #expect(try isQuestion(try await call(client, "appointments_book", named)))
        let salon = "5a100000-0000-4000-8000-000000000005"
        let local = Sample.booking(hour: 20, salon: salon).replacing(":00+0000", with: ":00")
        #expect(try isQuestion(try await call(client, "appointments_book", local)))
        let booked = try await call(client, "appointments_book", Sample.booking())
        #expect(try !isQuestion(booked))
        let appointment = try booked.required("structuredContent").object()
            .required("appointment").object()
        let id = try appointment.required("id").string()
        #expect(try isQuestion(try await call(client, "appointments_cancel", #"{"id":"\#(id)"}"#)))
        let list = try await client.result("appointments/list")
        #expect(try list.count("appointments") == 1)
    }

    @Test("destructive asks for a booking without a service at a salon that has services")
    func serviceLeftOpen() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--confirm", "destructive"])
        let salon = "5a100000-0000-4000-8000-000000000004"
        // The salon is closed on Sunday and on some holidays.
        let days = [2, 4].map {
            Date(timeIntervalSinceNow: $0 * 86_400).formatted(.iso8601.year().month().day())
        }
        let range = #"{"salonId":"\#(salon)","start":"\#(days[0])","end":"\#(days[1])"}"#
        let availability = try await client.result("salons/availability", range)
        let time = try #require(availability.starts().first)
        let offset = try availability.required("offset").string()
        let booking =
            #""salonId":"\#(salon)","appointmentTime":"\#(time)\#(offset)","phone":"12345""#
        #expect(try isQuestion(try await call(client, "appointments_book", "{\(booking)}")))
        let services = try await client.result("services/list", #"{"salonId":"\#(salon)"}"#)
        let service = try services.required("services").array().first { _ in true }?.object()
            .required("id").string()
        let whole = booking + #","serviceId":"\#(service ?? "")""#
        let result = try await call(client, "appointments_book", "{\(whole)}")
        #expect(try !isQuestion(result) && result["isError"] == nil, "\(result.text)")
    }

    @Test("a question that the client never answers ends after the timeout, and nothing is booked")
    func unanswered() async throws {
        let backend = try await BackendProcess()
        let novablend = try Novablend(["--base-url", backend.url, "--confirm-timeout", "1"])
        let client = try await ElicitationClient(novablend, .inRequest)
        let question = try await client.call("appointments_book", Sample.booking())
        #expect(question.question != nil)
        // The end of the question and the result of the call come in any order.
        var lines: [String] = []
        while lines.count < 2 { lines.append(try #require(await novablend.child.line())) }
        #expect(lines.contains { $0.contains("notifications/cancelled") })
        let result = try #require(lines.first { $0.contains("\"result\"") })
        #expect(result.contains("no one answered") && result.contains("--confirm"))
        let list = try await novablend.result("appointments/list")
        #expect(try list.count("appointments") == 0)
    }

    @Test("The policy can be in the configuration file")
    func configuration() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/config"
        try Data("confirm = always\n".utf8).write(to: URL(filePath: file))
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--config", file], in: directory)
        let call = #"{"name":"appointments_book","arguments":\#(Sample.booking())}"#
        let error = try await client.result("tools/call", call).toolError()
        #expect(try name(of: error) == "declined")
    }

    @Test(
        "An unknown policy or timeout ends the program with an error that names those that exist",
        arguments: [
            ("--confirm", "sometimes", "when-possible"), ("--confirm-timeout", "0", "1 to"),
        ]
    )
    func unknown(option: String, value: String, message: String) async throws {
        let client = try Novablend(["--base-url", "http://127.0.0.1:1", option, value])
        client.child.endInput()
        #expect(await client.child.exitCode() == 64)
        #expect(client.child.standardError().contains(message))
    }
}
