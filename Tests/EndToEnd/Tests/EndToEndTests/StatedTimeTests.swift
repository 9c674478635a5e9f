import Foundation
import JSON
import Testing

/// What results say about times: only what someone has checked.
@Suite("Stated times", .throttled, .timeLimit(.minutes(10)))
struct StatedTimeTests {
    private static let fringe = "5a100000-0000-4000-8000-000000000003"
    private static let paris = "5a100000-0000-4000-8000-000000000002"
    private static let sol = "5a100000-0000-4000-8000-000000000004"
    private static let nightOwl = "5a100000-0000-4000-8000-000000000005"

    /// The date in some days, such as `2026-03-29`.
    private func day(_ days: Int) -> String {
        Date(timeIntervalSinceNow: Double(days) * 86_400).formatted(.iso8601.year().month().day())
    }

    /// The next Wednesday that is at least two days ahead and not a holiday of the salon in Madrid.
    private let wednesday: String = {
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

    private func client() async throws -> (Novablend, BackendProcess) {
        let backend = try await BackendProcess()
        return (try Novablend(["--base-url", backend.url]), backend)
    }

    private func call(_ salon: String, _ time: String, _ more: String = "") -> String {
        #"{"salonId":"\#(salon)","appointmentTime":"\#(time)","phone":"+34 600123456"\#(more)}"#
    }

    private func explanation(
        _ client: Novablend,
        _ salon: String,
        _ time: String,
        _ more: String = ""
    ) async throws -> JSONObject {
        let params = #"{"salonId":"\#(salon)","explain":"\#(time)"\#(more)}"#
        let result = try await client.result("salons/availability", params)
        return try result.required("explanation").object()
    }

    @Test("no result has an end whose length no one states")
    func unknownEnd() async throws {
        let (client, backend) = try await client()
        let time = "\(day(2))T13:45:00+00:00"
        let booked = try await client.result("appointments/book", call(Self.fringe, time))
        #expect(try booked.required("appointment").object()["end"] == nil)
        #expect(!booked.text.contains("endTime") && !booked.text.contains("14:15"))
        let listed = try await client.result("appointments/list", #"{"salonId":"\#(Self.fringe)"}"#)
        #expect(!listed.text.contains("endTime") && !listed.text.contains("14:15"))
        let file = try await client.result("appointments/export", "{}")
        #expect(!file.text.contains("DTEND"))
        let list = #"{"salonId":"\#(Self.fringe)","start":"\#(day(2))","fields":["slots"]}"#
        let slots = try await client.result("salons/availability", list)
        #expect(try slots.required("note").string().contains("any time within its hours"))
        #expect(!slots.text.contains(#""end":"#))
        // 13:50 is not listed, and the caller has taken it.
        let own = try await explanation(client, Self.fringe, "\(day(2))T13:50:00+00:00")
        #expect(try own.required("reason").string() == "the time is booked by you")
        #expect(own["ownBooking"] != nil)
        _ = backend
    }

    @Test("the latest time of an opening day is after midnight, with its own date")
    func pastMidnight() async throws {
        let (client, backend) = try await client()
        let params = #"{"salonId":"\#(Self.nightOwl)","start":"\#(day(3))"}"#
        let result = try await client.result("salons/availability", params)
        let days = try result.required("days").array().map { try $0.object() }
        #expect(try days.map { try $0.required("date").string() } == [day(2), day(3)])
        let free = try #require(days.last?["free"]).array().map { try $0.string() }
        #expect(free.first == "18:00" && free.last == "\(day(4))T01:30")
        let early = try #require(days.first?["free"]).array().map { try $0.string() }
        #expect(early.first == "\(day(3))T00:00" && early.last == "\(day(3))T01:30")
        let latest = call(Self.nightOwl, "\(day(4))T01:30")
        _ = try await client.result("appointments/book", latest)
        // The pages of a limited list end with the opening day.
        let page = #"{"salonId":"\#(Self.nightOwl)","start":"\#(day(4))T01:00","end":"\#(day(3))"}"#
        let rest = try await client.result("salons/availability", page)
        #expect(try rest.starts() == ["\(day(4))T01:00:00", "\(day(4))T01:30:00"])
        let slots = #"{"salonId":"\#(Self.nightOwl)","start":"\#(day(3))","fields":["slots"]}"#
        let listed = try await client.result("salons/availability", slots)
        #expect(listed.text.contains(#""openingDay":"\#(day(3))""#))
        _ = backend
    }

    @Test("a buffer that is in the way is named with its appointment")
    func buffers() async throws {
        let (client, backend) = try await client()
        let color = #","serviceId":"color""#
        let booking = call(Self.paris, "\(day(3))T12:30", color)
        _ = try await client.result("appointments/book", booking)
        let found = try await explanation(
            client,
            Self.paris,
            "\(day(3))T14:30",
            #","serviceId":"cut""#
        )
        #expect(try found.required("rule").string() == "taken")
        // The caller's own appointment needs the time.
        #expect(try found.required("reason").string() == "the time is booked by you")
        let other = try Novablend(["--base-url", backend.url])
        let reason = try await explanation(
            other,
            Self.paris,
            "\(day(3))T14:30",
            #","serviceId":"cut""#
        ).required("reason").string()
        #expect(reason == "the appointment from 12:30 to 14:30 needs 20 minutes after it")
        let booked = try await explanation(
            other,
            Self.paris,
            "\(day(3))T13:30",
            #","serviceId":"cut""#
        ).required("reason").string()
        #expect(booked == "the slot is already booked")
    }

    @Test("a buffer of one person is named although others are free")
    func staffBuffers() async throws {
        let (client, backend) = try await client()
        let more = #","serviceId":"color","staffId":"ana""#
        _ = try await client.result("appointments/book", call(Self.sol, "\(wednesday)T10:30", more))
        let other = try Novablend(["--base-url", backend.url])
        let cut = #","serviceId":"cut""#
        let found = try await explanation(other, Self.sol, "\(wednesday)T12:00", cut)
        let staff = try found.required("staff").array().map { try $0.object() }
        let ana = try #require(try staff.first { try $0.required("id").string() == "ana" })
        #expect(
            try ana.required("reason").string()
                == "Ana is not booked then, but the appointment from "
                + "10:30 to 12:00 needs 10 minutes after it"
        )
    }

    @Test("a time that this program holds is its own, with the hold's id")
    func ownHold() async throws {
        let (client, backend) = try await client()
        let time = "\(day(3))T12:30"
        let hold = try await client.result("appointments/hold", call(Self.paris, time))
        let id = try hold.required("holdId").string()
        let params = #"{"salonId":"\#(Self.paris)","start":"\#(day(3))"}"#
        let own = try await client.result("salons/availability", params)
        #expect(try own.starts("own") == ["\(time):00"])
        let found = try await explanation(client, Self.paris, time)
        #expect(try found.required("ownHold").string() == id)
        _ = try await client.result("appointments/release", #"{"holdId":"\#(id)"}"#)
        let free = try await client.result("salons/availability", params)
        #expect(try free.starts("own").isEmpty && free.starts().contains("\(time):00"))
        _ = backend
    }

    @Test("a second appointment of one phone at the same time has a warning")
    func sameCustomer() async throws {
        let (client, backend) = try await client()
        let time = "\(day(3))T19:00"
        func warning(_ method: String, _ more: String = "") async throws -> JSONObject? {
            let result = try await client.result(method, call(Self.nightOwl, time, more))
            return try result["warnings"]?.array().first { _ in true }?.object()
        }
        #expect(try await warning("appointments/book", #","dryRun":true"#) == nil)
        #expect(try await warning("appointments/book") == nil)
        for (method, more) in [
            ("appointments/book", #","dryRun":true"#), ("appointments/hold", #","dryRun":true"#),
            ("appointments/book", #","idempotencyKey":"second""#),
        ] {
            let found = try #require(try await warning(method, more), "\(method) \(more)")
            #expect(try found.required("name").string() == "sameCustomer")
            #expect(try found.required("message").string().contains("19:00"))
            #expect(found["appointmentId"] != nil)
        }
        _ = backend
    }

    @Test("a dry run names who would be assigned, the end, and the price, and is right")
    func dryRun() async throws {
        let (client, backend) = try await client()
        let color = #","serviceId":"color""#
        let time = "\(wednesday)T11:00"
        for _ in 0..<2 {
            let dry = try await client.result(
                "appointments/book",
                call(Self.sol, time, color + #","dryRun":true"#)
            )
            let appointment = try dry.required("appointment").object()
            let staff = try appointment.required("staff").string()
            #expect(["Ana", "Carmen"].contains(staff))
            #expect(try appointment.required("staffAssigned").bool())
            #expect(try appointment.required("price").string() == "52.00 EUR")
            let end = try appointment.required("end").string()
            #expect(end.hasPrefix("\(wednesday)T12:30"))
            let more = color + #","idempotencyKey":"\#(staff)""#
            let booked = try await client.result("appointments/book", call(Self.sol, time, more))
            let assigned = try booked.required("appointment").object().required("staff")
            #expect(try assigned.string() == staff)
        }
        _ = backend
    }

    @Test("a salon without limits says so")
    func limits() async throws {
        let (client, backend) = try await client()
        let plain = try await client.result("salons/get", #"{"id":"\#(Self.fringe)"}"#)
        #expect(try plain.required("earliest").string() == "no limit stated")
        #expect(try plain.required("latest").string() == "no limit stated")
        let limited = try await client.result("salons/get", #"{"id":"\#(Self.paris)"}"#)
        #expect(try limited.required("earliest").string() == "120 minutes from now")
        #expect(try limited.required("latest").string() == "90 days from now")
        _ = backend
    }
}
