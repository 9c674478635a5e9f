import Foundation
import JSON
import Testing

extension BackendFixture {
    /// A change to an appointment that nothing else changes.
    struct Change {
        var method: String
        var id: String
        /// The version of the appointment before the change.
        var version = 1
        var key: String
        /// A text that the appointment contains only after the change.
        var mark: String
        var extra: String

        var params: String { #"{"id":"\#(id)","idempotencyKey":"\#(key)"\#(extra)}"# }
    }

    /// Books an appointment through `client`, and returns a change to it that has not been made yet.
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
            mark: isMove ? Self.mark(of: target.time) : "cancelled",
            extra: isMove ? #","appointmentTime":"\#(target.time)""# : ""
        )
    }

    /// Resolves a change some minutes after it returned `reply`, and expects that the list agrees with
    /// the reply. Then repeats it under the same key, and expects a single change.
    func expectExactlyOnce(_ reply: JSONObject?, _ change: Change, _ step: String) async throws {
        let later = try client(minutesLater: 5)
        let resolved = try await later.result("appointments/resolve").text
        #expect(!resolved.contains("inDoubt"), "\(step): \(resolved)")
        let wasDone = try await isDone(change, later)
        if let reply {
            let code = try reply["error"]?.object().required("code").integer()
            if code == nil { #expect(wasDone, "\(step): reported as changed, but not listed so") }
            if let code, code != 1_206 {
                #expect(!wasDone, "\(step): reported as rejected, but changed")
            }
        }
        let again = try await later.call(change.method, change.params)
        #expect(again["result"] != nil, "\(step): \(again.text)")
        #expect(try await isDone(change, later), "\(step): not changed")
        #expect(try await isDone(change, later, policy: "cacheOnly"), "\(step): not cached")
        await expectCleanExit(of: later, step)
    }

    /// Whether the appointment has been changed. Expects that it was changed at most once.
    private func isDone(
        _ change: Change,
        _ client: Novablend,
        policy: String = "serverFirst"
    ) async throws -> Bool {
        let params = #"{"status":"all","policy":"\#(policy)"}"#
        let list = try await client.result("appointments/list", params)
        let listed = try list.required("appointments").array().map { try $0.object() }
        let current = try #require(listed.first { $0.text.contains(change.id) })
        let isDone = current.text.contains(change.mark)
        let version = try current.required("version").integer()
        #expect(version == change.version + (isDone ? 1 : 0), "\(current.text)")
        return isDone
    }
}
