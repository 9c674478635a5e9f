import BackendKit
import Contract
import Domain
import Testing

@Suite("A salon without slot_minutes", .timeLimit(.minutes(10)))
final class SalonWithoutGridTests {
    private let backend: Backend
    /// A salon that is open from 09:30 to 22:30 at the UTC offset of each request.
    private let salon = "5a100000-0000-4000-8000-000000000001"

    init() throws { backend = try Backend(database: ":memory:") }

    deinit { backend.stop() }

    /// Tomorrow at a time of day, in UTC.
    private func time(_ timeOfDay: String) throws -> String {
        let date = try AlwaysOpenBackend.time(0).localTime.date
        return "\(date)T\(timeOfDay)+0000"
    }

    private func send(_ line: String, _ timeOfDay: String) throws -> Response {
        let time = try time(timeOfDay)
        let body = #"{"salonId":"\#(salon)","appointmentTime":"\#(time)","phone":"12345"}"#
        return try #require(exchange(backend.port, line, headers: ["If-Match: *"], body: body))
    }

    @Test("can be booked at any time, to the second, as in seed 000")
    func anyTime() throws {
        let booked = try send("POST /appointments", "11:24:59")
        #expect(try booked.appointment().booking.time == ISO8601.parse(time("11:24:59")))
        let id = try #require(try booked.appointment().id)
        let moved = try send("PATCH /appointments/\(id)", "13:07:01")
        #expect(try moved.appointment().booking.time == ISO8601.parse(time("13:07:01")))
    }

    @Test("is booked for half an hour, and each booking takes every five minutes that it touches")
    func length() throws {
        #expect(try send("POST /appointments", "11:24:59").status == 201)
        // The booking takes 11:20 to 11:55.
        for taken in ["10:50:01", "11:24:59", "11:54:59"] {
            let response = try send("POST /appointments", taken)
            #expect(response.status == 409 && response.body.contains("slotUnavailable"), "\(taken)")
        }
        for free in ["10:50:00", "11:55:00"] {
            #expect(try send("POST /appointments", free).status == 201, "\(free)")
        }
    }

    @Test("cannot be booked outside its opening hours, to the second")
    func hours() throws {
        for closed in ["09:29:59", "22:30:00"] {
            let response = try send("POST /appointments", closed)
            #expect(
                response.status == 422 && response.body.contains("outsideOpeningHours"),
                "\(closed)"
            )
        }
        for open in ["09:30:00", "22:29:59"] {
            #expect(try send("POST /appointments", open).status == 201, "\(open)")
        }
    }

    /// The salons of seed 000, with the hours and the keys that it gives them.
    private static let seed = [
        ("9.30", "22.30"), ("10.30", "20.30"), ("8.00", "14.00"), ("11.00", "16.00"),
    ]

    @Test("of seed 000 can be booked at the sample time, and no end is stated", arguments: 0..<4)
    func sampleTime(number: Int) throws {
        let id = "11111111-0000-4000-8000-00000000000\(number)"
        let (opens, closes) = Self.seed[number]
        let salon =
            #"{"id":"\#(id)","name":"a name","location":"a location","#
            + #""open_time":\#(opens),"close_time":\#(closes)}"#
        let put = exchange(
            backend.port,
            "PUT /salons/\(id)",
            headers: ["If-None-Match: *"],
            body: salon
        )
        #expect(put?.status == 201)
        let time = try time("11:24:59")
        let body = #"{"salonId":"\#(id)","appointmentTime":"\#(time)","phone":"12345"}"#
        let response = try #require(exchange(backend.port, "POST /appointments", body: body))
        #expect(try response.appointment().endTime == nil)
        #expect(!response.body.contains("endTime"))
    }

    private let early = "5a100000-0000-4000-8000-000000000003"

    private func lateBooking() throws -> Response {
        let time = try time("13:45:00")
        let body = #"{"salonId":"\#(early)","appointmentTime":"\#(time)","phone":"12345"}"#
        return try #require(
            exchange(
                backend.port,
                "POST /appointments",
                headers: ["Idempotency-Key: late"],
                body: body
            )
        )
    }

    @Test("states no end of an appointment 15 minutes before it closes, wherever it is shown")
    func lateStart() throws {
        let booked = try lateBooking()
        let appointment = try booked.appointment()
        #expect(appointment.endTime == nil && !booked.body.contains("endTime"))
        let id = try #require(appointment.id)
        for line in ["GET /appointments/\(id)", "GET /appointments", "GET /changes"] {
            let response = try #require(exchange(backend.port, line))
            #expect(response.status == 200 && !response.body.contains("endTime"), "\(line)")
        }
        // A repeated request is answered with the stored result.
        #expect(try lateBooking().appointment() == appointment)
        // It is no conflict that the salon closes within the assumed time.
        let conflicts = try #require(exchange(backend.port, "GET /salons/\(early)/conflicts"))
        #expect(conflicts.status == 200 && !conflicts.body.contains("outsideHours"))
    }

    @Test("states ends from the time on at which its slot length or a service is known")
    func laterLength() throws {
        let id = try #require(try lateBooking().appointment().id)
        let salon = try #require(exchange(backend.port, "GET /salons/\(early)"))
        let changed = salon.body.dropLast() + #","slot_minutes":15}"#
        let put = exchange(
            backend.port,
            "PUT /salons/\(early)",
            headers: ["If-Match: *"],
            body: String(changed)
        )
        #expect(put?.status == 200)
        let before = try #require(exchange(backend.port, "GET /appointments/\(id)"))
        #expect(try before.appointment().endTime == nil)
        let conflicts = try #require(exchange(backend.port, "GET /salons/\(early)/conflicts"))
        #expect(!conflicts.body.contains(id))
        let moved = try #require(
            exchange(
                backend.port,
                "PATCH /appointments/\(id)",
                headers: ["If-Match: *"],
                body: #"{"appointmentTime":"\#(try time("13:30:00"))"}"#
            )
        ).appointment()
        #expect(try moved.endTime == ISO8601.parse(time("13:45:00")))
    }
}
