import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Confirmation of tool calls", .throttled, .timeLimit(.minutes(10)))
struct ConfirmationTests {
    /// A salon in Copenhagen with appointments of 45 minutes from 09:00.
    private static let copenhagen = "5a100000-0000-4000-8000-000000000006"

    private let day = Date(timeIntervalSinceNow: 2 * 86_400)
    private var date: String { day.formatted(.iso8601.year().month().day()) }
    private var weekday: String {
        day.formatted(
            Date.FormatStyle(
                locale: Locale(identifier: "en_US_POSIX"),
                timeZone: TimeZone(secondsFromGMT: 0) ?? .gmt
            ).weekday(.wide)
        )
    }

    private func booking(_ time: String, _ more: String = "") -> String {
        #"{"salonId":"\#(Self.copenhagen)","appointmentTime":"\#(date)T\#(time)","#
            + #""phone":"+45 5550 1060"\#(more)}"#
    }

    /// Calls a tool, expects a question, confirms it, and returns the structured result.
    private func confirmed(
        _ client: ElicitationClient,
        _ tool: String,
        _ arguments: String
    ) async throws -> JSONObject {
        let question = try await client.call(tool, arguments)
        #expect(question.question != nil, "\(question)")
        let result = try #require(try await client.confirm(question).result)
        #expect(result["isError"] == nil, "\(result.text)")
        return try result.required("structuredContent").object()
    }

    @Test(
        "there is no question if a check fails before the call",
        arguments: ElicitationClient.Generation.allCases
    )
    func checked(generation: ElicitationClient.Generation) async throws {
        let backend = try await BackendProcess()
        let novablend = try Novablend(["--base-url", backend.url])
        let client = try await ElicitationClient(novablend, generation)
        let booked = try await confirmed(
            client,
            "appointments_book",
            booking("09:00:00", #","idempotencyKey":"used""#)
        )
        let other = try await confirmed(client, "appointments_book", booking("09:45:00"))
        let id = try booked.required("appointment").object().required("id").string()
        let otherID = try other.required("appointment").object().required("id").string()
        let unknown = Self.copenhagen.replacing("5a1", with: "fff")
        let cases: [(tool: String, arguments: String, name: String)] = [
            (
                "appointments_book", booking("10:30:00").replacing("+45 5550", with: "call"),
                "invalidParams"
            ),
            ("appointments_book", booking("10:30:00", #","email":"ada""#), "invalidParams"),
            (
                "appointments_book", booking("10:30:00", #","idempotencyKey":"a b""#),
                "invalidParams"
            ),
            (
                "appointments_book", booking("10:30:00").replacing("\(date)T", with: "2001-01-01T"),
                "invalidParams"
            ),
            ("appointments_book", booking("10:30:00+0700"), "invalidParams"),
            (
                "appointments_book",
                booking("10:30:00Z").replacing(Self.copenhagen, with: unknown), "salonNotFound"
            ),
            ("appointments_book", booking("09:10:00"), "notBookable"),
            ("appointments_book", booking("22:00:00"), "outsideOpeningHours"),
            ("appointments_book", booking("09:00:00"), "slotUnavailable"),
            (
                "appointments_book", booking("10:30:00", #","idempotencyKey":"used""#),
                "idempotencyConflict"
            ),
            ("appointments_cancel", #"{"id":"none"}"#, "appointmentNotFound"),
            ("appointments_cancel", #"{"id":"\#(id)","version":0}"#, "versionConflict"),
            (
                "appointments_reschedule",
                #"{"id":"\#(otherID)","appointmentTime":"\#(date)T09:00:00"}"#, "slotUnavailable"
            ),
        ]
        for (tool, arguments, name) in cases {
            let outcome = try await client.call(tool, arguments)
            let result = try #require(outcome.result, "asked: \(outcome), \(arguments)")
            #expect(result["isError"] != nil, "\(result.text)")
            #expect(try outcome.errorName == name, "\(result.text)")
        }
        backend.child.kill()
        let offline = try await client.call("appointments_book", booking("10:30:00"))
        #expect(try offline.errorName == "bookingRequiresConnection", "\(offline)")
    }

    @Test(
        "there is no question with --read-only or without a writable journal",
        arguments: ElicitationClient.Generation.allCases
    )
    func cannotWrite(generation: ElicitationClient.Generation) async throws {
        let backend = try await BackendProcess()
        let reader = try Novablend(["--base-url", backend.url, "--read-only"])
        let readOnly = try await ElicitationClient(reader, generation)
            .call("appointments_book", booking("09:00:00"))
        #expect(try readOnly.errorName == "readOnly", "\(readOnly)")
        let directory = try TemporaryDirectory()
        try Data().write(to: URL(filePath: directory.path + "/state"))
        let novablend = try Novablend(["--base-url", backend.url], in: directory)
        let unwritable = try await ElicitationClient(novablend, generation)
            .call("appointments_book", booking("09:00:00"))
        #expect(try unwritable.errorName == "journalUnavailable", "\(unwritable)")
    }

    @Test(
        "the question shows everything that will be stored",
        arguments: ElicitationClient.Generation.allCases
    )
    func complete(generation: ElicitationClient.Generation) async throws {
        let backend = try await BackendProcess()
        let client = try await ElicitationClient(
            try Novablend(["--base-url", backend.url]),
            generation
        )
        let notes = #"ring\ntwice \u202e"#
        let arguments = booking(
            "09:45:00",
            #","email":"ada@example.com","notes":"\#(notes)""#
        )
        let question = try await client.call("appointments_book", arguments)
        let lines = try #require(question.question).components(separatedBy: "\n")
        let salon = "Salon: Æther & Øl, Jægersborggade 7, København"
        let contact = [
            "Phone: +45 5550 1060", "Email: ada@example.com", #"Notes: ring\ntwice \u{202E}"#,
        ]
        #expect(lines[0] == "Book this appointment?" && lines[1] == salon)
        let time = "\(weekday), \(date), 09:45 to 10:30 (+0"
        #expect(lines[2].hasPrefix("Time: " + time), "\(lines)")
        #expect(lines[2].hasSuffix("00, Europe/Copenhagen)"), "\(lines)")
        #expect(Array(lines[3...]) == contact)
        let booked = try #require(try await client.confirm(question).result)
        let appointment = try booked.required("structuredContent").object()
            .required("appointment").object()
        #expect(try appointment.required("notes").string() == "ring\ntwice \u{202E}")
        let id = try appointment.required("id").string()

        let move = #"{"id":"\#(id)","appointmentTime":"\#(date)T11:15:00"}"#
        let moving = try await client.call("appointments_reschedule", move)
        let shown = try #require(moving.question).components(separatedBy: "\n")
        #expect(shown[0] == "Move this appointment?" && shown[1] == salon)
        #expect(shown[2].hasPrefix("From: " + time), "\(shown)")
        #expect(shown[3].hasPrefix("To: \(weekday), \(date), 11:15 to 12:00 (+0"), "\(shown)")
        #expect(Array(shown[4...]) == contact + ["Appointment: \(id), version 1"])
        _ = try await client.confirm(moving)

        let cancelling = try await client.call("appointments_cancel", #"{"id":"\#(id)"}"#)
        let whole = try #require(cancelling.question).components(separatedBy: "\n")
        #expect(whole[0] == "Cancel this appointment?" && whole[1] == salon)
        #expect(whole[2].hasPrefix("Time: \(weekday), \(date), 11:15 to 12:00 (+0"), "\(whole)")
        #expect(Array(whole[3...]) == contact + ["Appointment: \(id), version 2"])
    }

    @Test(
        "a confirmation applies only to the version that the question showed",
        arguments: ElicitationClient.Generation.allCases
    )
    func version(generation: ElicitationClient.Generation) async throws {
        let backend = try await BackendProcess()
        let novablend = try Novablend(["--base-url", backend.url])
        let client = try await ElicitationClient(novablend, generation)
        let booked = try await confirmed(client, "appointments_book", booking("09:00:00"))
        let id = try booked.required("appointment").object().required("id").string()
        let question = try await client.call("appointments_cancel", #"{"id":"\#(id)"}"#)
        #expect(question.question != nil)
        let elsewhere = try Novablend(["--base-url", backend.url])
        let move = #"{"id":"\#(id)","appointmentTime":"\#(date)T11:15:00"}"#
        _ = try await elsewhere.result("appointments/reschedule", move)
        let conflict = try await client.confirm(question)
        #expect(try conflict.errorName == "versionConflict", "\(conflict)")
        #expect(try await elsewhere.result("appointments/list").text.contains(id))
    }

    @Test(
        "confirming a booking that is in doubt sends it again under its key",
        arguments: ElicitationClient.Generation.allCases
    )
    func joins(generation: ElicitationClient.Generation) async throws {
        let fixture = try BookingFixture(BookingServer.losesRequests)
        fixture.server.update { $0.statesKeys = true }
        let novablend = try fixture.client()
        let client = try await ElicitationClient(novablend, generation)
        let params = fixture.booking(key: nil).params
        let key = try await novablend.callInDoubt("appointments/book", params)
        fixture.server.setFault(nil)
        let booked = try await confirmed(client, "appointments_book", params)
        #expect(try booked.required("idempotencyKey").string() == key)
        #expect(fixture.server.bookingKeys == [key])
        // Repeating it under the key books nothing, so there is no question.
        let again = params.dropLast() + #","idempotencyKey":"\#(key)"}"#
        let repeated = try await client.call("appointments_book", String(again))
        #expect(repeated.result?["isError"] == nil && repeated.question == nil)
        #expect(fixture.server.bookingKeys == [key])
    }
}
