import Domain
import DomainTestSupport
import Testing

@testable import BackendKit

@Suite("Changes to an appointment", .timeLimit(.minutes(10)))
struct ChangeTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    @Test("PATCH moves an appointment and changes only its time, its end, and its version")
    func reschedule() throws {
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        let time = try AlwaysOpenBackend.time(120)
        let response = try #require(server.patch(booked.id, to: time, match: "\"1\""))
        #expect(response.status == 200 && response.header("etag") == "\"2\"")
        var expected = booked
        (expected.booking.time, expected.version) = (time, 2)
        expected.endTime = time.advanced(byMinutes: 30)
        #expect(try response.appointment() == expected)
        #expect(try server.appointments() == [expected])
        #expect(server.post(try AlwaysOpenBackend.time(60))?.status == 201)
        #expect(server.post(time)?.status == 409)
    }

    @Test("a cancelled appointment is still returned, and its time can be booked again")
    func cancel() throws {
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        let response = try #require(server.delete(booked.id, match: "\"1\""))
        #expect(response.status == 200 && response.header("etag") == "\"2\"")
        var expected = booked
        (expected.status, expected.version) = (.cancelled, 2)
        #expect(try response.appointment() == expected)
        #expect(response.body.contains(#""status":"cancelled""#))
        let again = try server.book(booked.booking.time)
        #expect(try Set(server.appointments()) == [expected, again])
        #expect(try #require(server.get(booked.id)).appointment() == expected)
        let slots = try server.slots(from: try AlwaysOpenBackend.time(30), minutes: 90)
        #expect(slots.map(\.isAvailable) == [true, false, true])
        // The time can be freed and booked more than once.
        #expect(server.delete(again.id)?.status == 200)
        #expect(server.post(booked.booking.time)?.status == 201)
    }

    @Test("GET returns an appointment with its version; an unknown id returns 404")
    func get() throws {
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        let response = try #require(server.get(booked.id))
        #expect(response.status == 200 && response.header("etag") == "\"1\"")
        #expect(try response.appointment() == booked)
        let path = "GET /appointments/\(booked.id ?? "")"
        let known = exchange(server.port, path, headers: ["If-None-Match: \"1\""])
        #expect(known?.status == 304)
        #expect(try #require(server.get("none")).errorBody().name == "appointmentNotFound")
        #expect(server.get("none")?.status == 404)
        let wrong = try #require(exchange(server.port, "PUT /appointments/x"))
        #expect(wrong.status == 405 && wrong.header("allow") == "GET, HEAD, PATCH, DELETE, OPTIONS")
    }

    @Test(
        "a change with a missing, wrong, or weak version tag is rejected",
        arguments: [true, false]
    )
    func versions(cancels: Bool) throws {
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        let time = try AlwaysOpenBackend.time(120)
        func change(_ match: String?) -> Response? {
            cancels
                ? server.delete(booked.id, match: match)
                : server.patch(booked.id, to: time, match: match)
        }
        let missing = try #require(change(nil))
        #expect(missing.status == 428)
        #expect(try missing.errorBody().name == "preconditionRequired")
        for tag in ["\"0\"", "\"2\"", "W/\"1\"", "1", "", "\"1", "\"*\""] {
            let response = try #require(change(tag))
            #expect(response.status == 412, "\(tag)")
            #expect(try response.errorBody().name == "versionConflict")
        }
        #expect(try server.appointments() == [booked])
        #expect(change("\"7\" , \"1\"")?.status == 200)
    }

    @Test("a version conflict contains the current appointment")
    func conflict() throws {
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        let moved = server.patch(booked.id, to: try AlwaysOpenBackend.time(120), match: "*")
        let rejected = try #require(server.delete(booked.id, match: "\"1\""))
        #expect(rejected.status == 412)
        let now = try #require(moved).body
        #expect(rejected.body.hasSuffix(#","appointment":\#(now)}"#), "\(rejected.body)")
    }

    @Test("unknown and cancelled appointments cannot be changed, and the errors differ")
    func notFound() throws {
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        #expect(server.delete(booked.id)?.status == 200)
        let time = try AlwaysOpenBackend.time(120)
        for (id, text) in [(booked.id, "is cancelled"), ("none", "no appointment")] {
            for response in [server.patch(id, to: time), server.delete(id)] {
                let response = try #require(response)
                #expect(response.status == 404 && response.body.contains(text))
                #expect(try response.errorBody().name == "appointmentNotFound")
            }
        }
    }

    @Test("a past appointment can be neither moved nor cancelled")
    func past() throws {
        let clock = ManualClock(SystemClock().now)
        let server = try AlwaysOpenBackend(clock: clock)
        defer { server.backend.stop() }
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        clock.advance(bySeconds: 2 * 86_400)
        for response in [
            server.patch(booked.id, to: try AlwaysOpenBackend.time(120)), server.delete(booked.id),
        ] {
            let response = try #require(response)
            #expect(response.status == 422 && response.body.contains("is in the past"))
            #expect(try response.errorBody().name == "invalidBooking")
        }
        #expect(try server.appointments().map(\.version) == [1])
    }

    @Test("a body without a valid time and an invalid key are rejected")
    func invalid() throws {
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        for body in ["", "{", "[]", "{}", #"{"appointmentTime":"noon"}"#] {
            let response = try #require(server.send("PATCH", booked.id, "*", nil, body))
            #expect(response.status == 422, "\(body)")
            #expect(try response.errorBody().name == "invalidBooking")
        }
        let key = String(repeating: "k", count: 256)
        #expect(server.delete(booked.id, key: key)?.status == 422)
        #expect(
            server.patch(booked.id, to: try AlwaysOpenBackend.time(90), key: key)?.status == 422
        )
        #expect(try server.appointments() == [booked])
    }
}
