import BookingStorageTestSupport
import Domain
import Testing

@testable import BackendKit

@Suite("Repeated changes", .timeLimit(.minutes(10)))
struct ChangeReplayTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    @Test("a repeated change returns the first response, even after later changes, without effect")
    func replay() throws {
        let id = try server.book(try AlwaysOpenBackend.time(60)).id
        let time = try AlwaysOpenBackend.time(120)
        let moved = try #require(server.patch(id, to: time, match: "\"1\"", key: "move"))
        let later = try AlwaysOpenBackend.time(180)
        #expect(server.patch(id, to: later, match: "\"2\"")?.status == 200)
        let again = try #require(server.patch(id, to: time, match: "\"1\"", key: "move"))
        #expect(again.status == 200 && again.body == moved.body)
        #expect(again.header("etag") == "\"2\"")
        let cancelled = try #require(server.delete(id, match: "\"3\"", key: "cancel"))
        #expect(cancelled.status == 200)
        #expect(server.delete(id, match: "\"3\"", key: "cancel")?.body == cancelled.body)
        #expect(server.patch(id, to: time, match: "\"1\"", key: "move")?.body == moved.body)
        #expect(try server.appointments().map(\.version) == [4])
    }

    @Test("a repeated booking returns the first response, even if it was moved and cancelled")
    func booking() throws {
        let time = try AlwaysOpenBackend.time(60)
        let booked = try #require(server.post(time, key: "k"))
        let id = try booked.appointment().id
        #expect(server.patch(id, to: try AlwaysOpenBackend.time(120))?.status == 200)
        #expect(server.delete(id)?.status == 200)
        let again = try #require(server.post(time, key: "k"))
        #expect(again.status == 201 && again.body == booked.body)
        #expect(try server.appointments().count == 1)
    }

    @Test("a key is bound to one method, one path, and one body")
    func conflict() throws {
        let first = try server.book(try AlwaysOpenBackend.time(60)).id
        let second = try server.book(try AlwaysOpenBackend.time(120)).id
        let time = try AlwaysOpenBackend.time(180)
        #expect(server.patch(first, to: time, key: "k")?.status == 200)
        let responses = [
            server.patch(second, to: time, key: "k"),
            server.patch(first, to: try AlwaysOpenBackend.time(240), key: "k"),
            server.delete(first, key: "k"),
            server.send("DELETE", first, "*", "k", AlwaysOpenBackend.change(to: time)),
            server.post(try AlwaysOpenBackend.time(300), key: "k"),
        ]
        for response in responses {
            let response = try #require(response)
            #expect(response.status == 422)
            #expect(try response.errorBody().name == "idempotencyConflict")
        }
        #expect(server.post(try AlwaysOpenBackend.time(300), key: "p")?.status == 201)
        #expect(server.delete(second, key: "p")?.body.contains("idempotencyConflict") == true)
        #expect(try server.appointments().map(\.status) == [.booked, .booked, .booked])
    }

    @Test("errors are not stored: the same key can succeed later")
    func rejections() throws {
        let id = try server.book(try AlwaysOpenBackend.time(60)).id
        let other = try server.book(try AlwaysOpenBackend.time(120)).id
        let time = try AlwaysOpenBackend.time(120)
        #expect(server.patch(id, to: time, match: "\"1\"", key: "k")?.status == 409)
        #expect(server.patch(id, to: time, match: "\"9\"", key: "k")?.status == 412)
        #expect(server.delete(other)?.status == 200)
        #expect(server.patch(id, to: time, match: "\"1\"", key: "k")?.status == 200)
    }

    @Test("keys of changes survive a restart with the same file")
    func restart() throws {
        let database = try TemporaryDatabase()
        let first = try AlwaysOpenBackend(database: database.path)
        let id = try first.book(try AlwaysOpenBackend.time(60)).id
        let before = try #require(first.delete(id, match: "\"1\"", key: "k"))
        first.backend.stop()
        let second = try AlwaysOpenBackend(database: database.path)
        defer { second.backend.stop() }
        let after = try #require(second.delete(id, match: "\"1\"", key: "k"))
        #expect(after.status == 200 && after.body == before.body)
    }
}
