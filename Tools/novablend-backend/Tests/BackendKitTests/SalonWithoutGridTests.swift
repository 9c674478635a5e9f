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
}
