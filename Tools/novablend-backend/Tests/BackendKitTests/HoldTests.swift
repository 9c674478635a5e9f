import BackendKit
import Contract
import Domain
import DomainTestSupport
import Testing

@Suite("Holds", .timeLimit(.minutes(10)))
struct HoldTests {
    private let clock = ManualClock(SystemClock().now)
    private let server: AlwaysOpenBackend
    private static let cut = BookingOptions(serviceID: "cut")

    init() throws {
        server = try StaffFixture.makeBackend(clock: clock)
    }

    private func time(_ minutes: Int) throws -> AppointmentTime {
        try AlwaysOpenBackend.time(minutes)
    }

    private func hold(_ minutes: Int, _ options: BookingOptions = cut) throws -> Hold {
        try #require(server.hold(try time(minutes), options)).hold()
    }

    @Test("a hold reserves a staff member for five minutes")
    func reserves() throws {
        let start = try time(600)
        let response = try #require(server.hold(start, BookingOptions(serviceID: "color")))
        let hold = try response.hold()
        #expect(response.header("location") == "holds/\(hold.id)")
        #expect(hold.staffID == "ana" && hold.expiresAt.seconds(since: clock.now) == 300)
        #expect(response.body.contains(#""expiresAt":"\#(ISO8601.formatUTC(hold.expiresAt))""#))
        let ana = BookingOptions(serviceID: "cut", staffID: "ana")
        // The buffers of the service are reserved, too.
        #expect(server.post(try time(660), ana)?.status == 409)
        #expect(server.hold(try time(660), ana, phone: "67890")?.status == 409)
        #expect(try server.slots(from: start, minutes: 30, "&serviceId=cut").map(\.free) == [1])
        clock.advance(bySeconds: 299)
        #expect(server.post(try time(660), ana)?.status == 409)
        clock.advance(bySeconds: 1)
        #expect(server.post(try time(660), ana)?.status == 201)
        #expect(try server.appointments().count == 1)
    }

    @Test(
        "a hold lasts as long as the request says, from 1 to 15 minutes",
        arguments: [(1, true), (15, true), (0, false), (16, false), (-1, false)]
    )
    func duration(minutes: Int, isValid: Bool) throws {
        let response = try #require(server.hold(try time(600), Self.cut, minutes: minutes))
        guard isValid else {
            #expect(response.status == 422)
            #expect(try response.message().hasPrefix("minutes must be"), "\(response)")
            return
        }
        #expect(try response.hold().expiresAt.seconds(since: clock.now) == Int64(minutes) * 60)
    }

    @Test("a booking with the hold's id gets the staff member who was reserved, and ends the hold")
    func converts() throws {
        let start = try time(600)
        _ = try server.book(try time(1_200), BookingOptions(serviceID: "cut", staffID: "ben"))
        let hold = try hold(600)
        #expect(hold.staffID == "ana")
        // Ana has the most work on that day, so she would not be assigned.
        _ = try server.book(try time(900), BookingOptions(serviceID: "color", staffID: "ana"))
        let response = try #require(server.post(start, Self.cut, holdID: hold.id))
        let booked = try response.appointment()
        #expect(booked.booking.options.staffID == "ana" && booked.isStaffAssigned)
        #expect(try server.slots(from: start, minutes: 30, "&serviceId=cut").map(\.free) == [1])
        clock.advance(bySeconds: 300)
        #expect(try server.slots(from: start, minutes: 30, "&serviceId=cut").map(\.free) == [1])
        // The hold is used up, so the next booking with it gets a staff member who is free.
        let again = try #require(server.post(start, Self.cut, holdID: hold.id)).appointment()
        #expect(again.booking.options.staffID == "ben")
        #expect(server.post(start, Self.cut, holdID: hold.id)?.status == 409)
    }

    @Test("a hold of seats becomes a booking of these seats")
    func seats() throws {
        let server = try AlwaysOpenBackend(clock: clock) { $0.seats = 3 }
        defer { server.backend.stop() }
        let start = try time(600)
        let hold = try #require(server.hold(start, BookingOptions(seats: 2))).hold()
        #expect(hold.staffID == nil)
        #expect(server.post(start, BookingOptions(seats: 2))?.status == 409)
        #expect(server.post(start, BookingOptions(seats: 2), holdID: hold.id)?.status == 201)
        #expect(try server.slots(from: start, minutes: 30).map(\.free) == [1])
    }

    @Test("a hold of a different phone number is rejected, and remains")
    func differentCaller() throws {
        let hold = try hold(600)
        let response = try #require(
            server.post(try time(600), Self.cut, phone: "99999", holdID: hold.id)
        )
        #expect(response.status == 403)
        #expect(try response.errorBody().name == "notYourHold")
        #expect(try response.message().hasPrefix("holdId "))
        #expect(try server.appointments().isEmpty)
        // This is the same phone number, written differently.
        let own = server.post(try time(600), Self.cut, phone: "+1 (23) 45", holdID: hold.id)
        #expect(own?.status == 201)
    }

    @Test("a hold of a different time, service, staff member, or salon is rejected, and remains")
    func mismatch() throws {
        let hold = try hold(600)
        for (start, options, member) in [
            (630, Self.cut, "appointmentTime"),
            (600, BookingOptions(serviceID: "color"), "serviceId"),
            (600, BookingOptions(), "serviceId"),
            (600, BookingOptions(serviceID: "cut", staffID: "ben"), "staffId"),
        ] {
            let response = try #require(server.post(try time(start), options, holdID: hold.id))
            #expect(response.status == 422, "\(response)")
            #expect(try response.errorBody().name == "invalidBooking")
            let message = "\(member) contradicts the hold that holdId names"
            #expect(try response.message() == message)
        }
        let other = AlwaysOpenBackend.salon {
            $0.id = SalonID(high: 2, low: 2)
            $0.services = [StaffFixture.cut]
        }
        #expect(server.put(other, isNew: true)?.status == 201)
        let body = AlwaysOpenBackend.booking(try time(600), Self.cut, holdID: hold.id)
            .replacing(AlwaysOpenBackend.id.description, with: other.id.description)
        let elsewhere = try #require(exchange(server.port, "POST /appointments", body: body))
        #expect(elsewhere.status == 422 && elsewhere.body.contains("holdId"), "\(elsewhere)")
        #expect(try server.appointments().isEmpty)
        let options = BookingOptions(serviceID: "cut", staffID: hold.staffID)
        #expect(server.post(try time(600), options, holdID: hold.id)?.status == 201)
    }

    @Test("a hold of a different number of seats is rejected")
    func differentSeats() throws {
        let server = try AlwaysOpenBackend(clock: clock) { $0.seats = 3 }
        defer { server.backend.stop() }
        let hold = try #require(server.hold(try time(600), BookingOptions(seats: 2))).hold()
        let response = try #require(server.post(try time(600), holdID: hold.id))
        #expect(response.status == 422)
        #expect(try response.message() == "seats contradicts the hold that holdId names")
        #expect(try server.appointments().isEmpty)
    }

    @Test(
        "with a hold that is over or unknown, a time is booked if it is still free",
        arguments: [0, 1, 2]
    )
    func over(kind: Int) throws {
        let ana = BookingOptions(serviceID: "cut", staffID: "ana")
        let held = try hold(600, ana)
        switch kind {
        case 0: clock.advance(bySeconds: 300)
        case 1: #expect(server.release(held.id)?.status == 204)
        default: clock.advance(bySeconds: 2 * 3_600)
        }
        let id = kind == 2 ? "no-such-hold" : held.id
        let booked = try #require(server.post(try time(600), ana, holdID: id)).appointment()
        #expect(booked.booking.holdID == nil)
        let taken = try #require(server.post(try time(600), ana, holdID: id))
        #expect(taken.status == 409)
        #expect(try taken.errorBody().name == "slotUnavailable")
        #expect(try taken.errorBody().alternatives.first == (try time(630)))
    }

    @Test("a hold that is released frees its time, and it can be released again")
    func release() throws {
        let ana = BookingOptions(serviceID: "cut", staffID: "ana")
        let held = try hold(600, ana)
        for _ in 0..<2 {
            let response = try #require(server.release(held.id))
            #expect(response.status == 204 && response.body.isEmpty)
        }
        #expect(server.post(try time(600), ana)?.status == 201)
        let expired = try hold(660, ana)
        clock.advance(bySeconds: 3_600)
        #expect(server.release(expired.id)?.status == 204)
        for id in ["no-such-hold", "%20"] {
            let response = try #require(server.release(id))
            #expect(response.status == 404)
            #expect(try response.errorBody().name == "holdNotFound")
        }
    }

    @Test("a phone number has at most three holds, and Retry-After names the end of the first one")
    func limit() throws {
        let minutes = [5, 2, 10]
        for (index, minutes) in minutes.enumerated() {
            let response = server.hold(try time(600 + 30 * index), Self.cut, minutes: minutes)
            #expect(response?.status == 201)
        }
        clock.advance(bySeconds: 20)
        // This is the same phone number, written differently.
        let rejected = try #require(server.hold(try time(900), Self.cut, phone: "0 12-345"))
        #expect(rejected.status == 429 && rejected.header("retry-after") == "100")
        #expect(try rejected.errorBody().name == "tooManyHolds")
        #expect(server.hold(try time(900), Self.cut, phone: "123456")?.status == 201)
        clock.advance(bySeconds: 99)
        #expect(server.hold(try time(960), Self.cut)?.header("retry-after") == "1")
        clock.advance(bySeconds: 1)
        let fourth = try hold(960)
        #expect(server.hold(try time(990), Self.cut)?.status == 429)
        #expect(server.release(fourth.id)?.status == 204)
        #expect(server.hold(try time(990), Self.cut)?.status == 201)
    }

    @Test("the same key and body return the same hold while it lasts; a different body is an error")
    func key() throws {
        let start = try time(600)
        let first = try #require(server.hold(start, Self.cut, key: "k")).hold()
        for _ in 0..<4 {
            #expect(try #require(server.hold(start, Self.cut, key: "k")).hold() == first)
        }
        let other = try #require(server.hold(try time(630), Self.cut, key: "k"))
        #expect(other.status == 422)
        #expect(try other.errorBody().name == "idempotencyConflict")
        clock.advance(bySeconds: 300)
        let second = try #require(server.hold(start, Self.cut, key: "k")).hold()
        #expect(second.id != first.id && second.expiresAt.seconds(since: clock.now) == 300)
        let long = String(repeating: "k", count: 256)
        #expect(server.hold(start, Self.cut, key: long)?.status == 422)
    }

    @Test(
        "a hold with the key of another request is rejected, in whatever it differs",
        arguments: [
            (#""minutes":5"#, #""minutes":15"#), (#","minutes":5"#, ""),
            (#""phone":"12345""#, #""phone":"67890""#),
            (#""phone":"12345""#, #""phone":"+12345""#),
            (#""email":"a@b.example""#, #""email":"c@b.example""#),
            (#""notes":"short""#, #""notes":"long""#), (#""serviceId":"cut""#, #""seats":1"#),
        ]
    )
    func differentBody(old: String, new: String) throws {
        let booking = AlwaysOpenBackend.booking(try time(600), Self.cut)
        let body = String(booking.dropLast()) + #","minutes":5}"#
        func post(_ body: String) throws -> Response {
            try #require(
                exchange(server.port, "POST /holds", headers: ["Idempotency-Key: k"], body: body)
            )
        }
        let first = try post(body).hold()
        let other = body.replacing(old, with: new)
        try #require(other != body)
        let response = try post(other)
        #expect(response.status == 422, "\(response)")
        #expect(try response.errorBody().name == "idempotencyConflict")
        #expect(try post(body).hold() == first)
    }

    @Test("a hold with a key that was voided, or that has booked, is rejected and takes no time")
    func usedKey() throws {
        #expect(server.void("v")?.status == 204)
        #expect(server.post(try time(900), Self.cut, key: "b")?.status == 201)
        for (key, status, name) in [("v", 410, "keyVoided"), ("b", 422, "idempotencyConflict")] {
            let response = try #require(server.hold(try time(600), Self.cut, key: key))
            #expect(response.status == status, "\(response)")
            #expect(try response.errorBody().name == name)
        }
        #expect(try server.slots(from: try time(600), minutes: 30).map(\.free) == [2])
        // A hold is not a result, so its key can be voided, and then makes no other hold.
        let held = try #require(server.hold(try time(600), Self.cut, key: "k")).hold()
        #expect(server.void("k")?.status == 204)
        #expect(server.hold(try time(600), Self.cut, key: "k")?.status == 410)
        #expect(server.release(held.id)?.status == 204)
    }

    @Test("a hold is checked like a booking, and cannot be made from a hold")
    func rules() throws {
        let held = try hold(600)
        let body = AlwaysOpenBackend.booking(try time(630), Self.cut, holdID: held.id)
        let nested = try #require(exchange(server.port, "POST /holds", body: body))
        #expect(nested.status == 422)
        #expect(try nested.message().hasPrefix("holdId must be absent"))
        let offGrid = try #require(server.hold(try time(610), Self.cut)).errorBody()
        #expect(offGrid.name == "notBookable" && offGrid.rule == "offGrid")
        #expect(offGrid.alternatives.first == (try time(630)))
        let past = try #require(server.hold(try time(-5 * 1_440), Self.cut))
        #expect(try past.message().hasPrefix("appointmentTime must be"))
        for phone in ["call", "0000000"] {
            for response in [
                server.hold(try time(630), Self.cut, phone: phone),
                server.post(try time(630), Self.cut, phone: phone),
            ] {
                #expect(try response?.message().hasPrefix("phone must be") == true)
            }
        }
        let missing = AlwaysOpenBackend.booking(try time(630), Self.cut)
            .replacing(AlwaysOpenBackend.id.description, with: SalonID(high: 3, low: 3).description)
        #expect(exchange(server.port, "POST /holds", body: missing)?.status == 404)
        #expect(try server.appointments().isEmpty)
    }

    @Test("a hold keeps its right when the lead time passes, until its time has come")
    func leadTime() throws {
        let clock = ManualClock(SystemClock().now)
        let server = try AlwaysOpenBackend(clock: clock) { $0.leadMinutes = 60 }
        defer { server.backend.stop() }
        let start = try AlwaysOpenBackend.time(1_440)
        clock.advance(bySeconds: start.instant.seconds(since: clock.now) - 3_600)
        let hold = try #require(server.hold(start, minutes: 15)).hold()
        clock.advance(bySeconds: 1)
        for id in [nil, "unknown"] {
            let response = try #require(server.post(start, phone: "67890", holdID: id))
            #expect(response.status == 422)
            #expect(response.body.contains(#""rule":"tooSoon""#), "\(response)")
        }
        #expect(server.post(start, holdID: hold.id)?.status == 201)
        // Neither a hold that was used nor one that has expired lets a booking ignore the lead
        // time.
        #expect(server.post(start, holdID: hold.id)?.body.contains("tooSoon") == true)
        let late = start.advanced(byMinutes: 60)
        clock.advance(bySeconds: late.instant.seconds(since: clock.now) - 3_600)
        let expired = try #require(server.hold(late, minutes: 1)).hold()
        clock.advance(bySeconds: 60)
        let rejected = server.post(late, holdID: expired.id)
        #expect(rejected?.body.contains("tooSoon") == true, "\(String(describing: rejected))")
    }

    @Test("a hold does not let a booking begin in the past")
    func past() throws {
        let clock = ManualClock(SystemClock().now)
        let server = try AlwaysOpenBackend(clock: clock)
        defer { server.backend.stop() }
        let start = try AlwaysOpenBackend.time(1_440)
        clock.advance(bySeconds: start.instant.seconds(since: clock.now) - 60)
        let hold = try #require(server.hold(start, minutes: 15)).hold()
        clock.advance(bySeconds: 60)
        let response = try #require(server.post(start, holdID: hold.id))
        #expect(response.status == 422)
        #expect(try response.message() == "appointmentTime must be in the future")
    }
}
