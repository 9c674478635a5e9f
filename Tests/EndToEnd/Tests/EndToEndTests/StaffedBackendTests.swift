import Foundation
import JSON
import Testing

/// A sample salon of the real backend with services and three staff members, and one with three seats.
@Suite("Services, staff, seats, and holds on the backend", .throttled, .timeLimit(.minutes(10)))
struct StaffedBackendTests {
    private static let sol = "5a100000-0000-4000-8000-000000000004"
    private static let nightOwl = "5a100000-0000-4000-8000-000000000005"
    /// The next Wednesday that is at least two days ahead and not a holiday of the salon.
    private let date: String = {
        var day = Date(timeIntervalSinceNow: 2 * 86_400)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        while calendar.component(.weekday, from: day) != 4
            || [12, 1].contains(calendar.component(.month, from: day))
        {
            day += 86_400
        }
        return day.formatted(.iso8601.year().month().day())
    }()

    private func call(
        _ salon: String,
        _ time: String,
        phone: String = "+34 600123456",
        _ more: String = ""
    ) -> String {
        #"{"salonId":"\#(salon)","appointmentTime":"\#(date)T\#(time)","phone":"\#(phone)"\#(more)}"#
    }

    private func client() async throws -> (Novablend, BackendProcess) {
        let backend = try await BackendProcess()
        return (try Novablend(["--base-url", backend.url]), backend)
    }

    private func day(_ client: Novablend, _ more: String) async throws -> JSONObject {
        let range = #""start":"\#(date)","end":"\#(date)""#
        let result = try await client.result("salons/availability", "{\(range),\(more)}")
        let days = try result.required("days").array().map { try $0.object() }
        return try #require(try days.first { try $0.required("date").string() == date })
    }

    private func texts(_ array: JSONValue?) throws -> [String] {
        try array?.array().map { try $0.string() } ?? []
    }

    private func free(_ client: Novablend, _ more: String) async throws -> [String: Int] {
        let day = try await day(client, more)
        let counts = try day["freeCounts"]?.array().map { try $0.integer() } ?? []
        return Dictionary(uniqueKeysWithValues: zip(try texts(day["free"]), counts))
    }

    @Test("a hold takes a staff member's time, and becomes the booking of the same phone")
    func hold() async throws {
        let (client, backend) = try await client()
        defer { withExtendedLifetime(backend) {} }
        let color = #","serviceId":"color","staffId":"ana""#
        let anas = #""salonId":"\#(Self.sol)","serviceId":"color""#
        #expect(try await free(client, anas)["17:00"] == 2)
        let held = try await client.result("appointments/hold", call(Self.sol, "17:00", color))
        let id = try held.required("holdId").string()
        let left = try held.required("secondsLeft").integer()
        #expect((1...300).contains(left))
        #expect(try await free(client, anas)["17:00"] == 1)
        let stranger = #"\#(color),"holdId":"\#(id)""#
        let error = try await client.failure(
            "appointments/book",
            call(Self.sol, "17:00", phone: "+34 600999999", stranger)
        )
        #expect(error.name == "invalidParams" && error.message.contains("phone"))
        let booked = try await client.result(
            "appointments/book",
            call(Self.sol, "17:00", #"\#(color),"holdId":"\#(id)""#)
        )
        let shown = try booked.required("appointment").object()
        #expect(try shown.required("staff").string() == "Ana")
        #expect(try shown.required("price").string() == "52.00 EUR")
        #expect(try shown.required("end").string().contains("T18:30:00"))
    }

    @Test("listed slots have complete times, and say which staff members are free")
    func slots() async throws {
        let (client, backend) = try await client()
        defer { withExtendedLifetime(backend) {} }
        let cut = #","serviceId":"cut","staffId":"bruno""#
        let booked = call(Self.sol, "17:00", cut)
        _ = try await client.result("appointments/book", booked)
        let fields = #""fields":["slots"],"salonId":"\#(Self.sol)","serviceId":"cut""#
        let day = try await day(client, fields)
        let slots = try day.required("slots").array().map { try $0.object() }
        let found = slots.first {
            (try? $0["appointmentTime"]?.string().contains("T17:00:00+")) == true
        }
        let slot = try #require(found)
        #expect(try slot.required("state").string() == "free")
        #expect(try slot.required("end").string().contains("T17:30:00+"))
        #expect(try texts(slot["staff"]) == ["ana", "carmen"])
        #expect(try slot.required("free").integer() == 2 && day["free"] == nil)
        let time = try slot.required("appointmentTime").string()
        let salon = #""salonId":"\#(Self.sol)","phone":"12345""#
        _ = try await client.result(
            "appointments/book",
            #"{\#(salon),"appointmentTime":"\#(time)","serviceId":"cut","staffId":"ana"}"#
        )
    }

    @Test(
        "the time of an appointment that is moved counts as free, also if the client computes it",
        arguments: [true, false]
    )
    func moved(isListed: Bool) async throws {
        let (client, backend) = try await client()
        let ana = #","serviceId":"color","staffId":"ana""#
        let booked = try await client.result("appointments/book", call(Self.sol, "17:00", ana))
        let id = try booked.required("appointment").object().required("id").string()
        let urls = ["salons", "appointments"].flatMap { ["--\($0)-url", "\(backend.url)/\($0)"] }
        let asking =
            try isListed ? client : Novablend(urls, in: client.directory)
        let params = #""salonId":"\#(Self.sol)"\#(ana)"#
        let without = try await day(asking, params)
        #expect(try !texts(without["free"]).contains("17:30"))
        let moving = try await day(asking, #"\#(params),"appointmentId":"\#(id)""#)
        #expect(try texts(moving["free"]).contains("17:30"))
        // If a different appointment is moved, the time of the first one is still taken.
        let other = try await client.result(
            "appointments/book",
            call(Self.sol, "10:00", phone: "+34 600999999", ana)
        )
        let otherID = try other.required("appointment").object().required("id").string()
        let both = try await day(asking, #"\#(params),"appointmentId":"\#(otherID)""#)
        #expect(try !texts(both["free"]).contains("17:30"))
    }

    @Test("a released hold frees the time, and releasing it again succeeds")
    func release() async throws {
        let (client, backend) = try await client()
        defer { withExtendedLifetime(backend) {} }
        let seats = #","seats":3"#
        let owl = #""salonId":"\#(Self.nightOwl)""#
        let held = try await client.result("appointments/hold", call(Self.nightOwl, "19:00", seats))
        #expect(try await free(client, owl)["19:00"] == nil)
        let params = #"{"holdId":"\#(try held.required("holdId").string())"}"#
        _ = try await client.result("appointments/release", params)
        #expect(try await free(client, owl)["19:00"] == 3)
        _ = try await client.result("appointments/release", params)
        let unknown = try await client.failure("appointments/release", #"{"holdId":"unknown"}"#)
        #expect(unknown.name == "holdNotFound")
    }

    @Test("a fourth hold of a phone number is rejected until one ends")
    func limit() async throws {
        let (client, backend) = try await client()
        defer { withExtendedLifetime(backend) {} }
        for time in ["18:00", "18:30", "19:00"] {
            _ = try await client.result("appointments/hold", call(Self.nightOwl, time))
        }
        let error = try await client.failure("appointments/hold", call(Self.nightOwl, "19:30"))
        #expect(error.name == "tooManyHolds")
        let seconds = try error.data?.required("retryAfterSeconds").integer()
        #expect((1...300).contains(seconds ?? 0))
    }

    @Test("the same key returns the same hold")
    func key() async throws {
        let (client, backend) = try await client()
        defer { withExtendedLifetime(backend) {} }
        let params = call(Self.nightOwl, "19:00", #","idempotencyKey":"k""#)
        let first = try await client.result("appointments/hold", params)
        let again = try await client.result("appointments/hold", params)
        #expect(
            try first.required("holdId").string() == again.required("holdId").string()
        )
        #expect(try await free(client, #""salonId":"\#(Self.nightOwl)""#)["19:00"] == 2)
    }

    @Test("bookings without a named staff member take each free one, and then the slot is taken")
    func anyone() async throws {
        let (client, backend) = try await client()
        defer { withExtendedLifetime(backend) {} }
        var staff: Set<String> = []
        for number in 1...3 {
            let params = call(
                Self.sol,
                "17:00",
                phone: "+34 60000000\(number)",
                #","serviceId":"cut""#
            )
            let booked = try await client.result("appointments/book", params)
            let appointment = try booked.required("appointment").object()
            #expect(try appointment.required("staffAssigned").bool())
            staff.insert(try appointment.required("staffId").string())
        }
        #expect(staff == ["ana", "bruno", "carmen"])
        let full = try await client.failure(
            "appointments/book",
            call(Self.sol, "17:00", phone: "+34 600000004", #","serviceId":"cut""#)
        )
        #expect(full.name == "slotUnavailable")
    }

    @Test("a move keeps the service and the chosen staff member, and overlaps its own old time")
    func move() async throws {
        let (client, backend) = try await client()
        defer { withExtendedLifetime(backend) {} }
        let color = #","serviceId":"color","staffId":"ana""#
        let booked = try await client.result("appointments/book", call(Self.sol, "17:00", color))
        let id = try booked.required("appointment").object().required("id").string()
        let moving = #"{"id":"\#(id)","appointmentTime":"\#(date)T17:30""#
        let moved = try await client.result("appointments/reschedule", moving + "}")
        let shown = try moved.required("appointment").object()
        #expect(try shown.required("service").string() == "Color")
        #expect(try shown.required("price").string() == "52.00 EUR")
        #expect(try shown.required("staff").string() == "Ana")
        let other = try await client.result(
            "appointments/reschedule",
            moving + #","serviceId":"cut","staffId":"bruno"}"#
        )
        let changed = try other.required("appointment").object()
        #expect(try changed.required("staff").string() == "Bruno")
        #expect(try changed.required("end").string().contains("T18:00:00"))
    }

    @Test("services and staff come from the salon, with the methods' provenance")
    func lists() async throws {
        let (client, backend) = try await client()
        defer { withExtendedLifetime(backend) {} }
        let services = try await client.result("services/list", #"{"salonId":"\#(Self.sol)"}"#)
        #expect(try services.count("services") == 3)
        #expect(try services.source() == "server")
        let staff = try await client.result(
            "staff/list",
            #"{"salonId":"\#(Self.sol)","serviceId":"style","policy":"cacheOnly"}"#
        )
        #expect(try staff.count("staff") == 1)
        #expect(try staff.source() == "cache")
    }
}
