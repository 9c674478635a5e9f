import BackendKit
import Contract
import Domain
import DomainTestSupport
import JSON
import Testing

@Suite("Salons whose clock changes", .timeLimit(.minutes(2)))
struct SalonClockChangeTests {
    private let clock = ManualClock(Timestamp(secondsSince1970: 1_794_996_000))  // 2026-11-18T10Z
    private let server: AlwaysOpenBackend

    init() throws {
        server = try AlwaysOpenBackend(clock: clock) {
            $0.timeZone = ZoneID("Europe/Berlin")
            $0.seats = 2
        }
    }

    private static func salon(
        in zone: String,
        _ set: (inout Salon) -> Void = { _ in }
    ) -> Salon {
        AlwaysOpenBackend.salon {
            $0.timeZone = ZoneID(zone)
            $0.seats = 2
            set(&$0)
        }
    }

    private func put(_ salon: Salon, _ query: String = "") throws -> Response {
        let body = String(decoding: SalonCodec.encode(salon), as: UTF8.self)
        let line = "PUT /salons/\(salon.id)\(query)"
        return try #require(
            exchange(server.port, line, headers: ["If-Match: *"], body: body)
        )
    }

    private func count(_ name: StaticString, in response: Response) throws -> Int {
        #expect(response.status == 200, "\(response)")
        let object = try JSONDocument(parsing: Array(response.body.utf8)).root.object()
        return try object.required(name).integer()
    }

    /// The conflicts, each as its reasons and its new local time.
    private func conflicts() throws -> [String] {
        let path = "/salons/\(AlwaysOpenBackend.id)/conflicts"
        let response = try #require(exchange(server.port, "GET \(path)"))
        let list = try JSONDocument(parsing: Array(response.body.utf8)).root.object()
            .required("appointments").array()
        return try list.map { conflict in
            let object = try conflict.object()
            let reasons = try object.required("reasons").array().map { try $0.string() }
            let old = try object.required("appointmentTime").string()
            let new = try object.optional("newLocalTime")?.string() ?? "same"
            return "\(old) \(new) \(reasons.joined(separator: " "))"
        }
    }

    private func time(_ text: String) throws -> AppointmentTime {
        try #require(ISO8601.parse(text))
    }

    @Test("a new zone lists each future appointment with its old and its new local time")
    func newZone() throws {
        let booked = try server.book(try time("2026-11-20T15:00:00+0100"))
        let summer = try server.book(try time("2027-04-01T15:00:00+0200"))
        #expect(try conflicts().isEmpty)
        let response = try put(Self.salon(in: "America/New_York"))
        #expect(try count("conflicts", in: response) == 2)
        #expect(try count("moved", in: response) == 0)
        #expect(
            try conflicts() == [
                "2026-11-20T15:00:00+0100 2026-11-20T09:00:00-05:00 localTimeChanged",
                "2027-04-01T15:00:00+0200 2027-04-01T09:00:00-04:00 localTimeChanged",
            ]
        )
        // A move to the same instant confirms the new local time.
        let confirmed = try #require(server.patch(booked.id, to: booked.booking.time))
        let time = try confirmed.appointment().booking.time
        #expect(ISO8601.format(time) == "2026-11-20T09:00:00-0500")
        #expect(server.delete(summer.id)?.status == 200)
        #expect(try conflicts().isEmpty)
    }

    @Test("keep=wallClock moves the future appointments to the same local times")
    func keep() throws {
        let booked = try server.book(try time("2026-11-20T15:00:00+0100"), BookingOptions(seats: 2))
        let response = try put(Self.salon(in: "America/New_York"), "?keep=wallClock")
        #expect(try count("conflicts", in: response) == 0)
        #expect(try count("moved", in: response) == 1)
        let moved = try #require(server.get(booked.id)).appointment()
        #expect(ISO8601.format(moved.booking.time) == "2026-11-20T15:00:00-0500")
        #expect(moved.endTime == moved.booking.time.advanced(byMinutes: 30))
        #expect(moved.version == 2)
        #expect(server.post(moved.booking.time)?.status == 409)
        #expect(server.post(booked.booking.time, BookingOptions(seats: 2))?.status == 201)
        #expect(try conflicts().isEmpty)
    }

    @Test("a salon is not replaced if an appointment cannot keep its local time")
    func cannotKeep() throws {
        // New York skips this local time on that day.
        let booked = try server.book(try time("2027-03-14T02:30:00+0100"))
        let response = try put(Self.salon(in: "America/New_York"), "?keep=wallClock")
        #expect(response.status == 409)
        #expect(try response.errorBody().name == "wallClockNotKept")
        let id = try #require(booked.id)
        #expect(
            try response.message().contains("the appointment \(id) cannot move: its local time")
        )
        let problem = try JSONDocument(parsing: Array(response.body.utf8)).root.object()
        #expect(try AppointmentCodec.read(problem.required("appointment")) == booked)
        let salon = try #require(exchange(server.port, "GET /salons/\(AlwaysOpenBackend.id)"))
        #expect(salon.body.contains(#""time_zone":"Europe/Berlin""#))
        let invalid = try put(Self.salon(in: "America/New_York"), "?keep=instant")
        #expect(invalid.status == 422)
        #expect(try invalid.message() == "keep must be wallClock")
    }

    @Test("the response shows the salon's clock, whatever offset the request has")
    func offsets() throws {
        let wanted = "2026-11-20T15:30:00+0100"
        for text in ["2026-11-20T09:30:00-0500", "2026-11-20T14:30:00Z"] {
            let booked = try server.book(try time(text))
            #expect(ISO8601.format(booked.booking.time) == wanted)
            #expect(booked.endTime.map(ISO8601.format) == "2026-11-20T16:00:00+0100")
        }
        let id = try #require(try server.appointments().first?.id)
        for text in ["2026-11-21T09:30:00-0500", "2026-11-21T14:30:00Z"] {
            let moved = try #require(server.patch(id, to: try time(text))).appointment()
            #expect(ISO8601.format(moved.booking.time) == "2026-11-21T15:30:00+0100")
        }
        #expect(try conflicts().isEmpty)
    }

    @Test("appointments off the grid, and for a service that is not offered anymore, are listed")
    func otherReasons() throws {
        let server = try StaffFixture.makeBackend(clock: clock)
        defer { server.backend.stop() }
        func listed() throws -> [String: [String]] {
            let path = "/salons/\(AlwaysOpenBackend.id)/conflicts"
            let response = try #require(exchange(server.port, "GET \(path)"))
            let list = try JSONDocument(parsing: Array(response.body.utf8)).root.object()
                .required("appointments").array()
            return Dictionary(
                try list.map { conflict in
                    let object = try conflict.object()
                    let reasons = try object.required("reasons").array().map { try $0.string() }
                    return (try object.required("id").string(), reasons)
                }
            ) { first, _ in first }
        }
        let color = BookingOptions(serviceID: "color", staffID: "ana")
        let half = try #require(try server.book(try time("2026-11-20T10:30:00Z"), color).id)
        let cut = BookingOptions(serviceID: "cut", staffID: "ben")
        let full = try #require(try server.book(try time("2026-11-20T12:00:00Z"), cut).id)
        func salon(_ set: (inout Salon) -> Void) -> Salon {
            AlwaysOpenBackend.salon {
                $0.services = [StaffFixture.cut, StaffFixture.color]
                $0.staff = StaffFixture.staff
                set(&$0)
            }
        }
        #expect(server.put(salon { $0.slotMinutes = 60 })?.status == 200)
        #expect(try listed() == [half: ["offGrid"]])
        #expect(server.put(salon { $0.services = [StaffFixture.cut] })?.status == 200)
        #expect(try listed() == [half: ["notOffered"]])
        #expect(server.put(salon { $0.staff[1].services = ["color"] })?.status == 200)
        #expect(try listed() == [full: ["notOffered"]])
        let empty = salon { ($0.slotMinutes, $0.services, $0.staff) = (60, [], []) }
        #expect(server.put(empty)?.status == 200)
        #expect(
            try listed() == [
                half: ["notWorking", "offGrid", "notOffered"], full: ["notWorking", "notOffered"],
            ]
        )
    }
}
