import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Rescheduling and cancelling", .throttled, .timeLimit(.minutes(10)))
struct ChangeTests {
    private let slots = Slots()

    /// A client, and an appointment of version 1 that it booked.
    private func booked(
        at backend: BackendProcess,
        _ arguments: [String] = []
    ) async throws -> (client: Novablend, id: String, time: String) {
        let client = try Novablend(["--base-url", backend.url] + arguments)
        let slot = slots.take()
        let result = try await client.result("appointments/book", "{\(slot.members)}")
        let appointment = try result.required("appointment").object()
        return (client, try appointment.required("id").string(), slot.time)
    }

    private func move(_ id: String, to time: String, _ more: String = "") -> String {
        #"{"id":"\#(id)","appointmentTime":"\#(time)"\#(more)}"#
    }

    @Test(
        "an appointment is rescheduled twice and cancelled, and the cached list shows each change"
    )
    func reschedulesAndCancel() async throws {
        let backend = try await BackendProcess()
        let (client, id, first) = try await booked(at: backend)
        let (second, third) = (slots.take().time, slots.take().time)
        let moved = try await client.result(
            "appointments/reschedule",
            move(id, to: second, #","version":1"#)
        )
        #expect(moved.text.contains(#""version":2"#) && moved.text.contains(second))
        let appointment = try moved.required("appointment").object()
        #expect(try appointment.required("start").string() == "\(second.dropLast(2)):00")
        #expect(try appointment.required("salonName").string() == "Scherenschnitt")
        let conflict = try await client.failure(
            "appointments/reschedule",
            move(id, to: third, #","version":1"#)
        )
        #expect(conflict.code == 1_208 && conflict.name == "versionConflict")
        #expect(try conflict.data?.required("version").integer() == 2)
        #expect(conflict.data?.text.contains(second) == true)
        _ = try await client.result("appointments/reschedule", move(id, to: third))
        let cancelled = try await client.result("appointments/cancel", #"{"id":"\#(id)"}"#)
        #expect(cancelled.text.contains(#""version":4,"status":"cancelled""#))
        let gone = try await client.failure("appointments/cancel", #"{"id":"\#(id)"}"#)
        #expect(gone.code == 1_205 && gone.name == "appointmentNotFound")
        let again = #"{"salonId":"\#(Sample.salon)","appointmentTime":"\#(first)","phone":"12345"}"#
        _ = try await client.result("appointments/book", again)

        backend.child.kill()
        let cached = try await client.result("appointments/list", #"{"status":"all"}"#)
        #expect(try cached.source() == "cache" && cached.count("appointments") == 2)
        #expect(cached.text.contains(#""status":"cancelled""#))
        #expect(!cached.text.contains(#""appointmentTime":"\#(second)""#))
        let offline = try await client.failure("appointments/cancel", #"{"id":"\#(id)"}"#)
        #expect(offline.code == 1_201 && offline.message.contains("nothing was changed"))
        #expect(try await client.result("appointments/resolve").count("resolutions") == 0)
    }

    @Test(
        "a repeated change returns the first result, even after restarts; no other change can use its key"
    )
    func repeated() async throws {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        let backend = try await BackendProcess(database: database)
        let (first, id, _) = try await booked(at: backend)
        let times = (slots.take().time, slots.take().time)
        let call = move(id, to: times.0, #","idempotencyKey":"k""#)
        let moved = try await first.result("appointments/reschedule", call).text
        _ = try await first.result("appointments/reschedule", move(id, to: times.1))
        first.child.endInput()
        #expect(await first.child.exitCode() == 0)
        backend.child.kill()

        let restarted = try await BackendProcess(database: database)
        let second = try Novablend(["--base-url", restarted.url], in: first.directory)
        #expect(try await second.result("appointments/reschedule", call).text == moved)
        let cancel = #"{"id":"\#(id)","idempotencyKey":"k"}"#
        #expect(try await second.failure("appointments/cancel", cancel).code == 1_207)
        // A client with other directories does not know the key; the server does.
        let elsewhere = try Novablend(["--base-url", restarted.url])
        #expect(try await elsewhere.failure("appointments/cancel", cancel).code == 1_207)
        let list = try await second.result("appointments/list").text
        #expect(list.contains(times.1) && list.contains(#""version":3"#))
    }

    @Test(
        "of twenty clients that change one version, one succeeds and the others get versionConflict"
    )
    func race() async throws {
        let backend = try await BackendProcess()
        let (client, id, _) = try await booked(at: backend)
        let replies = try await withThrowingTaskGroup(of: JSONObject.self) { group in
            for _ in 0..<20 {
                let rival = try Novablend(["--base-url", backend.url])
                let params = move(id, to: slots.take().time, #","version":1"#)
                group.addTask { try await rival.call("appointments/reschedule", params) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count { $0["result"] != nil } == 1)
        let errors = try replies.compactMap { try $0["error"]?.object() }
        for error in errors {
            #expect(try error.required("code").integer() == 1_208, "\(error.text)")
            #expect(try error.required("data").object().required("version").integer() == 2)
        }
        #expect(try await client.result("appointments/list").text.contains(#""version":2"#))
    }

    @Test("subscribers are notified of a change, and --read-only rejects changes")
    func notification() async throws {
        let backend = try await BackendProcess()
        let (client, id, _) = try await booked(at: backend)
        _ = try await client.result("resource/subscribe", #"{"resource":"appointments"}"#)
        client.send(9, "appointments/cancel", #"{"id":"\#(id)"}"#)
        let notification = try #require(await client.child.line())
        #expect(
            notification.contains("resource/didChange") && notification.contains("appointments")
        )
        let reader = try Novablend(["--base-url", backend.url, "--read-only"])
        for method in ["appointments/cancel", "appointments/reschedule"] {
            let failure = try await reader.failure(method, move(id, to: slots.take().time))
            #expect(failure.code == 1_302 || failure.code == -32_602)
        }
        let dry = try await reader.failure("appointments/cancel", #"{"id":"\#(id)","dryRun":true}"#)
        #expect(dry.code == 1_302)
    }
}
