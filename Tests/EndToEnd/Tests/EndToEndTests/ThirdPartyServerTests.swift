import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

/// Changes at servers that lack features of our backend or behave differently.
@Suite("Changes at third-party servers", .throttled, .timeLimit(.minutes(10)))
struct ThirdPartyServerTests {
    private let slot = Slots().take()
    private var appointment: String { #"{"id":"a/1","version":7,\#(slot.members)}"# }
    private let cancel = #"{"id":"a/1","idempotencyKey":"k"}"#

    private func list(_ appointments: String...) -> ScriptedServer.Response {
        .reply("200 OK", #"{"appointments":[\#(appointments.joined(separator: ","))]}"#)
    }

    /// A server that lists one appointment, and responds to changes with `respond`.
    private func server(
        _ respond: @escaping @Sendable (String) -> ScriptedServer.Response
    ) throws -> ScriptedServer {
        let listing = list(appointment)
        return try ScriptedServer { connection in
            connection.request.hasPrefix("GET") ? listing : respond(connection.request)
        }
    }

    private func client(
        _ server: ScriptedServer,
        in directory: TemporaryDirectory? = nil
    ) throws -> Novablend {
        try Novablend(["--appointments-url", server.url + "/list?of=me"], in: directory)
    }

    @Test(
        "a change has the id, the version, and the key; after a 204 the list confirms it"
    )
    func request() async throws {
        let seen = Mutex<[String]>([])
        let cancelled = appointment.replacingOccurrences(
            of: "\"id\"",
            with: "\"status\":\"cancelled\",\"id\""
        )
        let (before, after) = (list(appointment), list(cancelled))
        let server = try ScriptedServer { connection in
            if connection.request.hasPrefix("GET") {
                return seen.withLock(\.isEmpty) ? before : after
            }
            seen.withLock { $0.append(connection.request) }
            return .reply("204 No Content", "")
        }
        let client = try client(server)
        let result = try await client.result("appointments/cancel", cancel)
        #expect(result.text.contains(#""status":"cancelled""#))
        let requests = seen.withLock(\.self)
        let request = try #require(requests.first)
        #expect(request.hasPrefix("DELETE /list/a%2F1?of=me HTTP/1.1\r\n"))
        #expect(request.contains("\r\nIf-Match: \"7\"\r\n"))
        #expect(request.contains("\r\nIdempotency-Key: k\r\n"))
        #expect(requests.count == 1)
    }

    @Test(
        "a server that cannot change appointments is an error that says so",
        arguments: ["404 Not Found", "405 Method Not Allowed", "501 Not Implemented"]
    )
    func notOffered(status: String) async throws {
        let server = try server { _ in .reply(status, "<html>no</html>") }
        let failure = try await client(server).failure("appointments/cancel", cancel)
        #expect(failure.code == 1_003 && failure.message.contains("cannot change appointments"))
    }

    @Test("if appointments have neither id nor version, the error says so and nothing is sent")
    func seedServer() async throws {
        let bare = "{\(slot.members)}"
        let listing = list(bare)
        let sent = Mutex(0)
        let server = try ScriptedServer { connection in
            if !connection.request.hasPrefix("GET") { sent.withLock { $0 += 1 } }
            return listing
        }
        let failure = try await client(server).failure("appointments/cancel", cancel)
        #expect(failure.code == 1_003 && failure.message.contains("have no id"))
        let count = sent.withLock(\.self)
        #expect(count == 0)
    }

    @Test(
        "versionConflict has the current version, whether or not the server returns the appointment"
    )
    func conflict() async throws {
        let newer = appointment.replacingOccurrences(of: #""version":7"#, with: #""version":8"#)
        let conflict = #"{"error":"versionConflict","appointment":\#(newer)}"#
        for (body, version) in [(conflict, 8), ("", 7)] {
            let server = try server { _ in .reply("412 Precondition Failed", body) }
            let failure = try await client(server).failure("appointments/cancel", cancel)
            #expect(failure.code == 1_208)
            #expect(try failure.data?.required("version").integer() == version)
        }
    }

    @Test("a change without a response is in doubt, and the next start resolves it")
    func inDoubt() async throws {
        let directory = try TemporaryDirectory()
        let cancelled = appointment.replacingOccurrences(
            of: #""version":7"#,
            with: #""version":8,"status":"cancelled""#
        )
        let (before, after) = (list(appointment), list(cancelled))
        let isDone = Mutex(false)
        let server = try ScriptedServer { connection in
            if isDone.withLock(\.self) { return after }
            return connection.request.hasPrefix("GET") ? before : .hangUp
        }
        let first = try client(server, in: directory)
        let failure = try await first.failure("appointments/cancel", cancel)
        #expect(failure.code == 1_206 && failure.name == "bookingInDoubt")
        #expect(try failure.data?.required("action").string() == "cancel")
        let open = try await first.result("appointments/resolve", #"{"dryRun":true}"#)
        #expect(open.text.contains(#""idempotencyKey":"k","action":"cancel","outcome":"inDoubt""#))
        first.child.endInput()
        #expect(await first.child.exitCode() == 0)

        isDone.withLock { $0 = true }
        let second = try client(server, in: directory)
        let deadline = Date(timeIntervalSinceNow: 60)
        var count = 1
        while count > 0, Date() < deadline {
            count = try await second.result("appointments/resolve", #"{"dryRun":true}"#)
                .count("resolutions")
        }
        #expect(count == 0)
        let again = try await second.result("appointments/cancel", cancel)
        #expect(again.text.contains(#""version":8,"status":"cancelled""#))
    }

    @Test("appointments/resolve uses the list to decide on a reschedule, and sends no change")
    func resolved() async throws {
        let target = Slots()
        _ = target.take()
        let time = target.take().time
        let move = #"{"id":"a/1","appointmentTime":"\#(time)","idempotencyKey":"m"}"#
        let moved = appointment.replacingOccurrences(of: #""version":7"#, with: #""version":8"#)
            .replacingOccurrences(of: slot.time, with: time)
        let (before, after) = (list(appointment), list(moved))
        let isDone = Mutex(false)
        let sent = Mutex(0)
        let server = try ScriptedServer { connection in
            if connection.request.hasPrefix("GET") {
                return isDone.withLock(\.self) ? after : before
            }
            sent.withLock { $0 += 1 }
            return .hangUp
        }
        let client = try client(server)
        #expect(try await client.failure("appointments/reschedule", move).code == 1_206)
        let early = try await client.result("appointments/resolve").text
        #expect(early.contains(#""action":"reschedule","outcome":"inDoubt""#))
        isDone.withLock { $0 = true }
        let resolved = try await client.result("appointments/resolve").text
        #expect(resolved.contains(#""outcome":"rescheduled""#) && resolved.contains(time))
        let count = sent.withLock(\.self)
        // The server does not say that it honors keys.
        #expect(count == 1)
        let cached = try await client.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains(time))
    }
}
