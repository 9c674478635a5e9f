import Domain
import Testing

@testable import BackendKit

@Suite("Changes that are sent again", .timeLimit(.minutes(2)))
struct ChangeReplayTests {
    private let server: RoundTheClock

    init() throws { server = try RoundTheClock() }

    @Test("the first answer comes again, also after later changes, and nothing changes")
    func replay() throws {
        let id = try server.book(try RoundTheClock.time(60)).id
        let time = try RoundTheClock.time(120)
        let moved = try #require(server.patch(id, to: time, match: "\"1\"", key: "move"))
        let later = try RoundTheClock.time(180)
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

    @Test("a booking's answer comes again after it was moved and cancelled")
    func booking() throws {
        let time = try RoundTheClock.time(60)
        let booked = try #require(server.post(time, key: "k"))
        let id = try booked.appointment().id
        #expect(server.patch(id, to: try RoundTheClock.time(120))?.status == 200)
        #expect(server.delete(id)?.status == 200)
        let again = try #require(server.post(time, key: "k"))
        #expect(again.status == 201 && again.body == booked.body)
        #expect(try server.appointments().count == 1)
    }

    @Test("a key stands for one method, one appointment and one body")
    func conflict() throws {
        let first = try server.book(try RoundTheClock.time(60)).id
        let second = try server.book(try RoundTheClock.time(120)).id
        let time = try RoundTheClock.time(180)
        #expect(server.patch(first, to: time, key: "k")?.status == 200)
        let answers = [
            server.patch(second, to: time, key: "k"),
            server.patch(first, to: try RoundTheClock.time(240), key: "k"),
            server.delete(first, key: "k"),
            server.send("DELETE", first, "*", "k", RoundTheClock.change(to: time)),
            server.post(try RoundTheClock.time(300), key: "k"),
        ]
        for answer in answers {
            let answer = try #require(answer)
            #expect(answer.status == 422)
            #expect(try answer.refusal().name == "idempotencyConflict")
        }
        #expect(server.post(try RoundTheClock.time(300), key: "p")?.status == 201)
        #expect(server.delete(second, key: "p")?.body.contains("idempotencyConflict") == true)
        #expect(try server.appointments().map(\.status) == [.booked, .booked, .booked])
    }

    @Test("a refusal is not remembered: the same key may succeed later")
    func refusals() throws {
        let id = try server.book(try RoundTheClock.time(60)).id
        let other = try server.book(try RoundTheClock.time(120)).id
        let time = try RoundTheClock.time(120)
        #expect(server.patch(id, to: time, match: "\"1\"", key: "k")?.status == 409)
        #expect(server.patch(id, to: time, match: "\"9\"", key: "k")?.status == 412)
        #expect(server.delete(other)?.status == 200)
        #expect(server.patch(id, to: time, match: "\"1\"", key: "k")?.status == 200)
    }

    @Test("keys of changes survive a restart on the same file")
    func restart() throws {
        let database = try TemporaryDatabase()
        let first = try RoundTheClock(database: database.path)
        let id = try first.book(try RoundTheClock.time(60)).id
        let before = try #require(first.delete(id, match: "\"1\"", key: "k"))
        first.backend.stop()
        let second = try RoundTheClock(database: database.path)
        defer { second.backend.stop() }
        let after = try #require(second.delete(id, match: "\"1\"", key: "k"))
        #expect(after.status == 200 && after.body == before.body)
    }
}
