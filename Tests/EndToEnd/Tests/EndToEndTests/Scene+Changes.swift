import Foundation
import JSON
import Testing

extension Scene {
    /// A change to an appointment of its own.
    struct Change {
        var method: String
        var id: String
        /// The version that the appointment has before.
        var version = 1
        var key: String
        /// What the appointment has once it is changed, and not before.
        var mark: String
        var extra: String

        var params: String { #"{"id":"\#(id)","idempotencyKey":"\#(key)"\#(extra)}"# }
    }

    /// Books an appointment through `client`, and gives a change to it that was not made yet.
    func change(_ method: String, through client: Novablend) async throws -> Change {
        let (slot, target) = (slots.take(), slots.take())
        let booked = try #require(await client.book(slot.members, key: slot.time))
        let result = try #require(booked["result"], "\(booked.text)").object()
        let id = try result.required("appointment").object().required("id").string()
        let isMove = method.hasSuffix("reschedule")
        return Change(
            method: method,
            id: id,
            key: "change-\(id)",
            mark: isMove ? target.time : "cancelled",
            extra: isMove ? #","appointmentTime":"\#(target.time)""# : ""
        )
    }

    /// Finds out, some minutes later, what became of a change whose `reply` was that, and asks for it
    /// once more under the same key.
    func check(_ reply: JSONObject?, _ change: Change, _ step: String) async throws {
        let later = try client(minutesLater: 5)
        let resolved = try await later.result("appointments/resolve").text
        #expect(!resolved.contains("inDoubt"), "\(step): \(resolved)")
        let wasDone = try await isDone(change, later)
        if let reply {
            let code = try reply["error"]?.object().required("code").integer()
            if code == nil { #expect(wasDone, "\(step): changed, and not so") }
            if let code, code != 1_206 { #expect(!wasDone, "\(step): refused, and changed") }
        }
        let again = try await later.call(change.method, change.params)
        #expect(again["result"] != nil, "\(step): \(again.text)")
        #expect(try await isDone(change, later), "\(step): not changed")
        #expect(try await isDone(change, later, policy: "cacheOnly"), "\(step): not kept")
        await expectCleanExit(of: later, step)
    }

    /// Whether the appointment is changed: once, or not at all.
    private func isDone(
        _ change: Change,
        _ client: Novablend,
        policy: String = "serverFirst"
    ) async throws -> Bool {
        let params = #"{"status":"all","policy":"\#(policy)"}"#
        let list = try await client.result("appointments/list", params)
        let held = try list.required("appointments").array().map { try $0.object() }
        let now = try #require(held.first { $0.text.contains(change.id) })
        let isDone = now.text.contains(change.mark)
        let version = try now.required("version").integer()
        #expect(version == change.version + (isDone ? 1 : 0), "\(now.text)")
        return isDone
    }
}
