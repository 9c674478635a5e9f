import Domain
import Testing

@testable import BackendKit

@Suite("Changes that are sent again", .timeLimit(.minutes(2)))
struct ChangeReplayTests {
    private let remote: RoundTheClock

    init() throws { remote = try RoundTheClock() }

    @Test("the first answer comes again, also after later changes, and nothing changes")
    func replay() throws {
        let id = try remote.book(try RoundTheClock.time(60)).id
        let time = try RoundTheClock.time(120)
        let moved = try #require(remote.patch(id, to: time, match: "\"1\"", key: "move"))
        let later = try RoundTheClock.time(180)
        #expect(remote.patch(id, to: later, match: "\"2\"")?.status == 200)
        let again = try #require(remote.patch(id, to: time, match: "\"1\"", key: "move"))
        #expect(again.status == 200 && again.body == moved.body)
        #expect(again.header("etag") == "\"2\"")
        let cancelled = try #require(remote.delete(id, match: "\"3\"", key: "cancel"))
        #expect(cancelled.status == 200)
        #expect(remote.delete(id, match: "\"3\"", key: "cancel")?.body == cancelled.body)
        #expect(remote.patch(id, to: time, match: "\"1\"", key: "move")?.body == moved.body)
        #expect(try remote.appointments().map(\.version) == [4])
    }

    @Test("a booking's answer comes again after it was moved and cancelled")
    func booking() throws {
        let time = try RoundTheClock.time(60)
        let booked = try #require(remote.post(time, key: "k"))
        let id = try booked.appointment().id
        #expect(remote.patch(id, to: try RoundTheClock.time(120))?.status == 200)
        #expect(remote.delete(id)?.status == 200)
        let again = try #require(remote.post(time, key: "k"))
        #expect(again.status == 201 && again.body == booked.body)
        #expect(try remote.appointments().count == 1)
    }

    @Test("a key stands for one method, one appointment and one body")
    func conflict() throws {
        let first = try remote.book(try RoundTheClock.time(60)).id
        let second = try remote.book(try RoundTheClock.time(120)).id
        let time = try RoundTheClock.time(180)
        #expect(remote.patch(first, to: time, key: "k")?.status == 200)
        let answers = [
            remote.patch(second, to: time, key: "k"),
            remote.patch(first, to: try RoundTheClock.time(240), key: "k"),
            remote.delete(first, key: "k"),
            remote.send("DELETE", first, "*", "k", RoundTheClock.change(to: time)),
            remote.post(try RoundTheClock.time(300), key: "k"),
        ]
        for answer in answers {
            let answer = try #require(answer)
            #expect(answer.status == 422)
            #expect(try answer.refusal().name == "idempotencyConflict")
        }
        #expect(remote.post(try RoundTheClock.time(300), key: "p")?.status == 201)
        #expect(remote.delete(second, key: "p")?.body.contains("idempotencyConflict") == true)
        #expect(try remote.appointments().map(\.status) == [.booked, .booked, .booked])
    }

    @Test("a refusal is not remembered: the same key may succeed later")
    func refusals() throws {
        let id = try remote.book(try RoundTheClock.time(60)).id
        let other = try remote.book(try RoundTheClock.time(120)).id
        let time = try RoundTheClock.time(120)
        #expect(remote.patch(id, to: time, match: "\"1\"", key: "k")?.status == 409)
        #expect(remote.patch(id, to: time, match: "\"9\"", key: "k")?.status == 412)
        #expect(remote.delete(other)?.status == 200)
        #expect(remote.patch(id, to: time, match: "\"1\"", key: "k")?.status == 200)
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
