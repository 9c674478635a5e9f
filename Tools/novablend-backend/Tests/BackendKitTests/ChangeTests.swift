import Domain
import Testing

@testable import BackendKit

@Suite("Changes of an appointment", .timeLimit(.minutes(2)))
struct ChangeTests {
    private let server: RoundTheClock

    init() throws { server = try RoundTheClock() }

    @Test("PATCH moves an appointment, and only its time and version are another")
    func reschedule() throws {
        let booked = try server.book(try RoundTheClock.time(60))
        let time = try RoundTheClock.time(120)
        let answer = try #require(server.patch(booked.id, to: time, match: "\"1\""))
        #expect(answer.status == 200 && answer.header("etag") == "\"2\"")
        var expected = booked
        (expected.booking.time, expected.version) = (time, 2)
        #expect(try answer.appointment() == expected)
        #expect(try server.appointments() == [expected])
        #expect(server.post(try RoundTheClock.time(60))?.status == 201)
        #expect(server.post(time)?.status == 409)
    }

    @Test("DELETE cancels: the list and GET still have it, and its time can be booked again")
    func cancel() throws {
        let booked = try server.book(try RoundTheClock.time(60))
        let answer = try #require(server.delete(booked.id, match: "\"1\""))
        #expect(answer.status == 200 && answer.header("etag") == "\"2\"")
        var expected = booked
        (expected.status, expected.version) = (.cancelled, 2)
        #expect(try answer.appointment() == expected)
        #expect(answer.body.contains(#""status":"cancelled""#))
        let again = try server.book(booked.booking.time)
        #expect(try Set(server.appointments()) == [expected, again])
        #expect(try #require(server.get(booked.id)).appointment() == expected)
        let slots = try server.slots(from: try RoundTheClock.time(30), minutes: 90)
        #expect(slots.map(\.isAvailable) == [true, false, true])
        // Also twice.
        #expect(server.delete(again.id)?.status == 200)
        #expect(server.post(booked.booking.time)?.status == 201)
    }

    @Test("GET gives one, tagged with its version; what never was is 404, another method 405")
    func get() throws {
        let booked = try server.book(try RoundTheClock.time(60))
        let answer = try #require(server.get(booked.id))
        #expect(answer.status == 200 && answer.header("etag") == "\"1\"")
        #expect(try answer.appointment() == booked)
        let path = "GET /appointments/\(booked.id ?? "")"
        let known = exchange(server.port, path, headers: ["If-None-Match: \"1\""])
        #expect(known?.status == 304)
        #expect(try #require(server.get("none")).refusal().name == "appointmentNotFound")
        #expect(server.get("none")?.status == 404)
        let wrong = try #require(exchange(server.port, "PUT /appointments/x"))
        #expect(wrong.status == 405 && wrong.header("allow") == "GET, PATCH, DELETE")
    }

    @Test(
        "a version that is not there, is old or is weak changes nothing",
        arguments: [true, false]
    )
    func versions(cancels: Bool) throws {
        let booked = try server.book(try RoundTheClock.time(60))
        let time = try RoundTheClock.time(120)
        func change(_ match: String?) -> Answer? {
            cancels
                ? server.delete(booked.id, match: match)
                : server.patch(booked.id, to: time, match: match)
        }
        let missing = try #require(change(nil))
        #expect(missing.status == 428)
        #expect(try missing.refusal().name == "preconditionRequired")
        for tag in ["\"0\"", "\"2\"", "W/\"1\"", "1", "", "\"1", "\"*\""] {
            let answer = try #require(change(tag))
            #expect(answer.status == 412, "\(tag)")
            #expect(try answer.refusal().name == "versionConflict")
        }
        #expect(try server.appointments() == [booked])
        #expect(change("\"7\" , \"1\"")?.status == 200)
    }

    @Test("a version conflict carries the appointment as it is now")
    func conflict() throws {
        let booked = try server.book(try RoundTheClock.time(60))
        let moved = server.patch(booked.id, to: try RoundTheClock.time(120), match: "*")
        let refused = try #require(server.delete(booked.id, match: "\"1\""))
        #expect(refused.status == 412)
        let now = try #require(moved).body
        #expect(refused.body.hasSuffix(#","appointment":\#(now)}"#), "\(refused.body)")
    }

    @Test("what never was and what is cancelled cannot be changed, and are told apart")
    func notFound() throws {
        let booked = try server.book(try RoundTheClock.time(60))
        #expect(server.delete(booked.id)?.status == 200)
        let time = try RoundTheClock.time(120)
        for (id, told) in [(booked.id, "is cancelled"), ("none", "never")] {
            for answer in [server.patch(id, to: time), server.delete(id)] {
                let answer = try #require(answer)
                #expect(answer.status == 404 && answer.body.contains(told))
                #expect(try answer.refusal().name == "appointmentNotFound")
            }
        }
    }

    @Test("what has taken place is neither moved nor cancelled")
    func past() throws {
        let database = try TemporaryDatabase()
        let server = try RoundTheClock(database: database.path)
        defer { server.backend.stop() }
        let booked = try server.book(try RoundTheClock.time(60))
        try database.run("UPDATE appointments SET instant = 1000000000")
        for answer in [
            server.patch(booked.id, to: try RoundTheClock.time(120)), server.delete(booked.id),
        ] {
            let answer = try #require(answer)
            #expect(answer.status == 422 && answer.body.contains("has taken place"))
            #expect(try answer.refusal().name == "invalidBooking")
        }
        #expect(try server.appointments().map(\.version) == [1])
    }

    @Test("a body without a time, and a key that is none, are refused")
    func invalid() throws {
        let booked = try server.book(try RoundTheClock.time(60))
        for body in ["", "{", "[]", "{}", #"{"appointmentTime":"noon"}"#] {
            let answer = try #require(server.send("PATCH", booked.id, "*", nil, body))
            #expect(answer.status == 422, "\(body)")
            #expect(try answer.refusal().name == "invalidBooking")
        }
        let key = String(repeating: "k", count: 256)
        #expect(server.delete(booked.id, key: key)?.status == 422)
        #expect(server.patch(booked.id, to: try RoundTheClock.time(90), key: key)?.status == 422)
        #expect(try server.appointments() == [booked])
    }
}
