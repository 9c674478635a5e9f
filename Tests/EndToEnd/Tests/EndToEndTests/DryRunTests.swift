import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite(
    "A dry run reports what would happen, and changes nothing",
    .throttled,
    .timeLimit(.minutes(10))
)
struct DryRunTests {
    private let modern =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
        + #""io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#

    @Test("booking, rescheduling, and cancelling change neither the server nor the files")
    func appointments() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let slots = Slots()
        let (slot, target) = (slots.take(), slots.take())
        let dry = try await client.result(
            "appointments/book",
            #"{\#(slot.members),"idempotencyKey":"k","dryRun":true}"#
        )
        #expect(dry.text.hasPrefix(#"{"dryRun":true,"appointment":{"salonId""#))
        #expect(
            dry.text.contains(#""start":"\#(slot.time.dropLast(2)):00""#)
                && dry["idempotencyKey"] == nil
        )
        #expect(try snapshot(client.directory.path).isEmpty)
        #expect(try await client.result("appointments/list").count("appointments") == 0)

        let booked = try await client.result("appointments/book", "{\(slot.members)}")
        let id = try booked.required("appointment").object().required("id").string()
        let files = try snapshot(client.directory.path)
        let move = #"{"id":"\#(id)","appointmentTime":"\#(target.time)","dryRun":true}"#
        let moved = try await client.result("appointments/reschedule", move)
        #expect(moved.text.contains(target.time) && moved.text.hasPrefix(#"{"dryRun":true,"#))
        let cancel = #"{"id":"\#(id)","dryRun":true}"#
        let cancelled = try await client.result("appointments/cancel", cancel)
        #expect(cancelled.text.contains(#""status":"cancelled""#))
        let resolved = try await client.result("appointments/resolve", #"{"dryRun":true}"#)
        #expect(try resolved.required("dryRun").bool() && resolved.count("resolutions") == 0)
        #expect(try snapshot(client.directory.path) == files)
        let listed = try await client.result("appointments/list", #"{"status":"all"}"#).text
        #expect(listed.contains(slot.time) && listed.contains(#""version":1"#))
        #expect(!listed.contains("cancelled"))
    }

    @Test("a call that would be rejected is rejected with the same code")
    func rejections() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let slot = Slots().take()
        let booked = try await client.result("appointments/book", "{\(slot.members)}")
        let id = try booked.required("appointment").object().required("id").string()
        let taken = try await client.failure(
            "appointments/book",
            #"{\#(slot.members),"dryRun":true}"#
        )
        #expect(taken.code == 1_202)
        let cancel = #"{"id":"\#(id)","version":0,"dryRun":true}"#
        #expect(try await client.failure("appointments/cancel", cancel).code == 1_208)
        let unknown = #"{"id":"unknown","dryRun":true}"#
        #expect(try await client.failure("appointments/cancel", unknown).code == 1_205)
        let number = #"{"id":"\#(id)","dryRun":1}"#
        #expect(try await client.failure("appointments/cancel", number).code == -32_602)
        backend.child.kill()
        let offline = #"{"id":"\#(id)","dryRun":true}"#
        #expect(try await client.failure("appointments/cancel", offline).code == 1_201)
    }

    @Test("cache/validate and cache/clear delete nothing")
    func cache() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("salons/list")
        let file = try client.cached("salons.snapshot")
        try Data("damage".utf8).write(to: URL(filePath: file))
        let found = try await client.result("cache/validate", #"{"dryRun":true}"#)
        #expect(found.text.contains(#""dryRun":true,"salons":"wouldDeleteUnreadable""#))
        let cleared = try await client.result("cache/clear", #"{"dryRun":true}"#)
        #expect(cleared.text == #"{"dryRun":true,"cleared":["salons"]}"#)
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(try await client.result("cache/clear").text == #"{"cleared":["salons"]}"#)
    }

    @Test(
        "the file that the call names is not written",
        arguments: ["feed/image", "menu/image", "appointments/export"]
    )
    func file(method: String) async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let file = client.directory.path + "/written"
        _ = try await client.result("feed/list")
        _ = try await client.result("menu/list")
        let url = method.hasSuffix("image") ? #","url":"\#(backend.url)/images/copper.png""# : ""
        let params = #"{"file":"\#(file)"\#(url)"#
        let files = try snapshot(client.directory.path)
        let dry = try await client.result(method, params + #","dryRun":true}"#)
        #expect(try snapshot(client.directory.path) == files)
        #expect(try dry.required("dryRun").bool() && dry.required("file").string() == file)
        #expect(!FileManager.default.fileExists(atPath: file))
        _ = try await client.result(method, params + "}")
        #expect(FileManager.default.fileExists(atPath: file))
        let taken = try await client.failure(method, params + #","dryRun":true}"#)
        #expect(taken.code == -32_602)
    }

    @Test(
        "a tool asks the user before a change, but not before a dry run"
    )
    func agents() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let slots = Slots()
        let (slot, target) = (slots.take(), slots.take())
        let booked = try await client.result("appointments/book", "{\(slot.members)}")
        let id = try booked.required("appointment").object().required("id").string()
        let move = #""id":"\#(id)","appointmentTime":"\#(target.time)""#
        let dry = try await tool(client, "appointments_reschedule", move + #","dryRun":true"#)
        #expect(dry["isError"] == nil && dry.text.contains(#""dryRun":true"#))
        let question = try await tool(client, "appointments_reschedule", move)
        #expect(question.text.contains("Move this appointment?"))
        let state = try question.required("requestState").string()
        let yes = #""inputResponses":{"confirm":{"action":"accept","content":{"confirm":true}}}"#
        for _ in 0..<2 {
            let moved = try await tool(
                client,
                "appointments_reschedule",
                move,
                #",\#(yes),"requestState":"\#(state)""#
            )
            #expect(moved["isError"] == nil && moved.text.contains(#""version":2"#))
        }
        let cancel = try await tool(client, "appointments_cancel", #""id":"\#(id)""#)
        #expect(cancel.text.contains("Cancel this appointment?"))
        // A call that cannot succeed fails without a question.
        let outdated = #""id":"\#(id)","version":1"#
        let rejected = try await tool(client, "appointments_cancel", outdated)
        #expect(rejected["isError"] != nil && rejected.text.contains("versionConflict"))
    }

    private func tool(
        _ client: Novablend,
        _ name: String,
        _ arguments: String,
        _ more: String = ""
    ) async throws -> JSONObject {
        let params = #"{"name":"\#(name)","arguments":{\#(arguments)},\#(modern)\#(more)}"#
        return try await client.result("tools/call", params)
    }

    /// The bytes of every file below `path`.
    private func snapshot(_ path: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            files[name] = FileManager.default.contents(atPath: "\(path)/\(name)")
        }
        return files
    }
}
