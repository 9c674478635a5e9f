import BackendKit
import Contract
import Domain
import Testing

@Suite("A salon without slot_minutes", .timeLimit(.minutes(2)))
struct SalonWithoutGridTests {
    private let backend: Backend
    /// Open from 09:30 to 22:30, on the clock of the request.
    private let salon = "5a100000-0000-4000-8000-000000000001"

    init() throws { backend = try Backend(database: ":memory:") }

    /// Tomorrow at that time of day, UTC.
    private func time(_ timeOfDay: String) throws -> String {
        let date = try RoundTheClock.time(0).localTime.date
        return "\(date)T\(timeOfDay)+0000"
    }

    private func send(_ line: String, _ timeOfDay: String) throws -> Answer {
        let time = try time(timeOfDay)
        let body = #"{"salonId":"\#(salon)","appointmentTime":"\#(time)","phone":"12345"}"#
        return try #require(exchange(backend.port, line, headers: ["If-Match: *"], body: body))
    }

    @Test("is booked at any time of day, to the second, as in seed 000")
    func anyTime() throws {
        let booked = try send("POST /appointments", "11:24:59")
        #expect(try booked.appointment().booking.time == ISO8601.parse(time("11:24:59")))
        let id = try #require(try booked.appointment().id)
        let moved = try send("PATCH /appointments/\(id)", "13:07:01")
        #expect(try moved.appointment().booking.time == ISO8601.parse(time("13:07:01")))
    }

    @Test("sells half an hour, and no second of it twice")
    func length() throws {
        #expect(try send("POST /appointments", "11:24:59").status == 201)
        for taken in ["10:55:00", "11:24:59", "11:54:58"] {
            let answer = try send("POST /appointments", taken)
            #expect(answer.status == 409 && answer.body.contains("slotUnavailable"), "\(taken)")
        }
        for free in ["10:54:59", "11:54:59"] {
            #expect(try send("POST /appointments", free).status == 201, "\(free)")
        }
    }

    @Test("is still closed outside its opening hours, to the second")
    func hours() throws {
        for closed in ["09:29:59", "22:30:00"] {
            let answer = try send("POST /appointments", closed)
            #expect(
                answer.status == 422 && answer.body.contains("outsideOpeningHours"),
                "\(closed)"
            )
        }
        for open in ["09:30:00", "22:29:59"] {
            #expect(try send("POST /appointments", open).status == 201, "\(open)")
        }
    }
}
