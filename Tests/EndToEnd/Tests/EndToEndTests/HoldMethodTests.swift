import JSON
import Testing

@Suite("A time is held before it is booked", .throttled, .timeLimit(.minutes(10)))
struct HoldMethodTests {
    private static let time = #""salonId":"Nova","appointmentTime":"2030-01-07T12:00Z""#
    private static let call = #"{\#(time),"phone":"+49 30 1234567","serviceId":"color"}"#

    /// A client of a server that answers requests about holds with `response`.
    private func server(_ response: KeepAliveServer.Response) throws -> SalonServer {
        try StaffedSalon.server { request, _ in
            request.path.hasPrefix("/holds") ? response : nil
        }
    }

    @Test("the time left is measured by the server's clock, and names and the end are shown")
    func held() async throws {
        let server = try server(StaffedSalon.hold())
        let client = try Novablend(["--base-url", server.url])
        let held = try await client.result(
            "appointments/hold",
            Self.call.dropLast() + #","minutes":5,"idempotencyKey":"k1"}"#
        )
        #expect(try held.required("holdId").string() == "h1")
        #expect(try held.required("secondsLeft").integer() == 240)
        #expect(try held.required("service").string() == "Color")
        #expect(try held.required("staff").string() == "Ana")
        #expect(try held.required("idempotencyKey").string() == "k1")
        #expect(try held.required("end").string() == "2030-01-07T13:30:00+00:00")
        let sent = try #require(server.requests { $0.path == "/holds" }.first)
        #expect(sent.key == "k1" && sent.body.hasSuffix(#""serviceId":"color","minutes":5}"#))
    }

    @Test("a booking names its hold, and a repetition sends the same request")
    func book() async throws {
        let server = try StaffedSalon.server { request, state in
            guard request.method == "POST" else { return nil }
            state.appointments.append(
                #"{"id":"a1","version":1,"endTime":"2030-01-07T13:30:00Z","staffId":"ana","#
                    + #""staffAssigned":true,\#(request.body.dropFirst())"#
            )
            return .hangUp
        }
        let client = try Novablend(["--base-url", server.url])
        let booked = try await client.result(
            "appointments/book",
            Self.call.dropLast() + #","holdId":"h1"}"#
        )
        let appointment = try booked.required("appointment").object()
        #expect(try appointment.required("staff").string() == "Ana")
        #expect(try appointment.required("staffAssigned").bool())
        let sent = server.requests { $0.method == "POST" }
        #expect(sent.count == 1 && sent[0].body.hasSuffix(#""holdId":"h1"}"#))
        #expect(server.requests { $0.path.hasSuffix("/availability") }.isEmpty)
        let exported = try await client.result("appointments/export")
        let calendar = try exported.required("calendar").string()
        #expect(calendar.contains("SUMMARY:Color with Ana\\, Nova"))
        #expect(calendar.contains("DTEND:20300107T133000Z"))
        let listed = try await client.result("appointments/list")
        let first = try listed.required("appointments").array().map { try $0.object() }.first
        #expect(try first?.required("service").string() == "Color")
    }

    @Test("each failure has its own error, and nothing is sent twice")
    func failures() async throws {
        let limit = KeepAliveServer.Response.reply(
            429,
            #"{"error":"tooManyHolds","message":"three holds"}"#,
            headers: ["Retry-After": "42"]
        )
        let cases: [(KeepAliveServer.Response, String)] = [
            (limit, "tooManyHolds"), (.reply(404), "holdsUnsupported"), (.hangUp, "holdInDoubt"),
            (.reply(501), "holdsUnsupported"),
            (.reply(409, #"{"error":"slotUnavailable"}"#), "slotUnavailable"),
            (.reply(401), "notAuthenticated"),
        ]
        for (response, name) in cases {
            let server = try server(response)
            let client = try Novablend(["--base-url", server.url])
            let error = try await client.failure("appointments/hold", Self.call)
            #expect(error.name == name, "\(error)")
            #expect(server.requests { $0.path == "/holds" }.count == 1)
            if name == "tooManyHolds" {
                #expect(try error.data?.required("retryAfterSeconds").integer() == 42)
            }
            if name == "holdInDoubt" {
                #expect(try error.data?.required("idempotencyKey").string().isEmpty == false)
            }
        }
    }

    @Test("a hold is released by its id, and an unknown one is an error")
    func release() async throws {
        let server = try StaffedSalon.server { request, _ in
            request.path == "/holds/h1"
                ? .reply(204) : .reply(404, #"{"error":"holdNotFound","message":"unknown"}"#)
        }
        let client = try Novablend(["--base-url", server.url])
        let released = try await client.result("appointments/release", #"{"holdId":"h1"}"#)
        #expect(try released.required("holdId").string() == "h1")
        let error = try await client.failure("appointments/release", #"{"holdId":"h2"}"#)
        #expect(error.name == "holdNotFound")
        _ = try await client.result("appointments/release", #"{"holdId":"h2","dryRun":true}"#)
        #expect(
            server.requests { $0.method == "DELETE" }.map(\.path) == ["/holds/h1", "/holds/h2"]
        )
    }

    @Test("a booking may leave out what its hold states, also in a different process")
    func complete() async throws {
        let backend = try await BackendProcess()
        let first = try Novablend(["--base-url", backend.url])
        let salon = "5a100000-0000-4000-8000-000000000002"
        func hold(_ hour: Int) async throws -> String {
            let time = #""appointmentTime":"tomorrow \#(hour):30""#
            let call = #"{"salonId":"\#(salon)",\#(time),"phone":"+49 30 1234567"}"#
            return try await first.result("appointments/hold", call).required("holdId").string()
        }
        let other = try Novablend(["--base-url", backend.url])
        for (client, hour) in [(first, 11), (other, 13)] {
            let id = try await hold(hour)
            let booked = try await client.result("appointments/book", #"{"holdId":"\#(id)"}"#)
            let appointment = try booked.required("appointment").object()
            #expect(try appointment.required("salonId").string() == salon)
            #expect(try appointment.required("phone").string() == "+49 30 1234567")
            let start = try appointment.required("start").string()
            #expect(start.contains("T\(hour):30"))
        }
        let id = try await hold(15)
        for client in [first, other] {
            for (members, parameter) in [
                (#""appointmentTime":"tomorrow 16:30""#, "appointmentTime"),
                (#""salonId":"5a100000-0000-4000-8000-000000000003""#, "salonId"),
                (#""phone":"0155501020""#, "phone"), (#""seats":2"#, "seats"),
            ] {
                let error = try await client.failure(
                    "appointments/book",
                    #"{"holdId":"\#(id)",\#(members)}"#
                )
                #expect(error.code == -32_602, "\(error.message)")
                #expect(error.message.contains(#""\#(parameter)" contradicts the hold"#))
                #expect(!error.message.contains("1234567"))
                #expect(try error.data?.required("parameter").string() == parameter)
            }
        }
        // A national number does not contradict a hold that states the number with its country code.
        let national = #"{"holdId":"\#(id)","phone":"030 1234567"}"#
        _ = try await other.result("appointments/book", national)
    }

    @Test("a release says what it released, and whether that had ended")
    func releaseShown() async throws {
        let backend = try await BackendProcess()
        let clients = try [
            Novablend(["--base-url", backend.url]), Novablend(["--base-url", backend.url]),
        ]
        let call = """
            {"salonId":"5a100000-0000-4000-8000-000000000002","phone":"12345",\
            "appointmentTime":"tomorrow 11:30"}
            """
        let held = try await clients[0].result("appointments/hold", call)
        let id = try held.required("holdId").string()
        for (index, more) in [#","dryRun":true"#, "", ""].enumerated() {
            let released = try await clients[1].result(
                "appointments/release",
                #"{"holdId":"\#(id)"\#(more)}"#
            )
            #expect(try released.required("start").string().contains("T11:30"))
            #expect(try released.required("phone").string() == "12345")
            #expect(released["salonName"] != nil && (released["hadEnded"] != nil) == (index == 2))
        }
    }

    @Test("everything is required for a hold that no one knows")
    func unknown() async throws {
        let server = try StaffedSalon.server { request, _ in
            request.path.hasPrefix("/holds") ? .reply(404) : nil
        }
        let client = try Novablend(["--base-url", server.url])
        let error = try await client.failure("appointments/book", #"{"holdId":"h9"}"#)
        #expect(error.code == -32_602)
        for text in [
            #""salonId" is missing"#, #""phone" is missing"#, "states what the hold is for",
        ] {
            #expect(error.message.contains(text), "\(error.message)")
        }
        let none = try await client.failure("appointments/book", "{}")
        #expect(none.message.contains(#""appointmentTime" is missing"#))
        #expect(!none.message.contains("the hold is for"))
    }

    @Test("an agent's user confirms a hold, and sees the service and the staff member")
    func confirmation() async throws {
        let server = try server(StaffedSalon.hold())
        let novablend = try Novablend(["--base-url", server.url])
        let client = try await ElicitationClient(novablend, .acrossRequests)
        let asked = try await client.call(
            "appointments_hold",
            Self.call.dropLast() + #","staffId":"ana"}"#
        )
        let question = try #require(asked.question)
        for line in ["Hold this time?", "Service: Color, 9000 JPY", "With: Ana", "to 13:30"] {
            #expect(question.contains(line), "\(question)")
        }
        #expect(server.changes.isEmpty)
        #expect(try await client.confirm(asked).result?["isError"] == nil)
        #expect(server.changes.map(\.path) == ["/holds"])
    }

    @Test("a move changes only what it names, and anyStaff leaves the choice to the server")
    func move() async throws {
        let members = #""id":"a1","version":1,"salonId":"\#(Sample.salon)","phone":"12345","#
        let before =
            #"{\#(members)"appointmentTime":"2030-01-07T12:00:00Z","serviceId":"cut","#
            + #""staffId":"ben"}"#
        let server = try StaffedSalon.server { request, state in
            guard request.method == "PATCH" else { return nil }
            let after = before.replacing(#""version":1"#, with: #""version":2"#)
                .replacing("T12:", with: "T15:").replacing("ben", with: "ana")
            state.appointments = [after]
            return .reply(200, after)
        }
        server.update { $0.appointments = [before] }
        let client = try Novablend(["--base-url", server.url])
        let moving = #"{"id":"a1","appointmentTime":"2030-01-07T15:00Z""#
        let color = try await client.failure(
            "appointments/reschedule",
            moving + #","serviceId":"color"}"#
        )
        #expect(color.message.contains("Ben, who does not offer Color"))
        let both = moving + #","anyStaff":true,"staffId":"ana"}"#
        #expect(try await client.failure("appointments/reschedule", both).code == -32_602)
        let moved = try await client.result(
            "appointments/reschedule",
            moving + #","anyStaff":true}"#
        )
        let appointment = try moved.required("appointment").object()
        #expect(try appointment.required("staff").string() == "Ana")
        let sent = try #require(server.changes.last)
        #expect(sent.body.hasSuffix(#","staffId":null}"#))
    }
}
