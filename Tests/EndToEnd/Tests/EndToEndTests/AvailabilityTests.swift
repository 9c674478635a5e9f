import Foundation
import JSON
import Testing

@Suite("Slots", .throttled, .timeLimit(.minutes(10)))
struct AvailabilityTests {
    private let paris = "5a100000-0000-4000-8000-000000000002"

    /// The date in `days` days, such as `2026-03-29`.
    private func day(_ days: Int) -> String {
        Date(timeIntervalSinceNow: Double(days) * 86_400).formatted(.iso8601.year().month().day())
    }

    private func range(_ salon: String, _ day: String, _ more: String = "") -> String {
        #"{"salonId":"\#(salon)","start":"\#(day)T00:00:00Z","end":"\#(day)T23:59:59Z"\#(more)}"#
    }

    private func booking(_ salon: String, _ time: String) -> String {
        #"{"salonId":"\#(salon)","appointmentTime":"\#(time)","phone":"12345"}"#
    }

    @Test(
        "every free slot from the server can be booked by its start time, and is the caller's own then"
    )
    func bookable() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        for salon in [Sample.salon, paris] {
            let list = try await client.result("salons/availability", range(salon, day(3)))
            #expect(try list.required("source").string() == "server")
            let free = try list.starts()
            #expect(free.count >= 10)
            for time in free {
                _ = try await client.result("appointments/book", booking(salon, time))
            }
            let after = try await client.result("salons/availability", range(salon, day(3)))
            #expect(try after.starts().isEmpty && after.starts("own") == free)
            #expect(after.text.contains(#""reason":"fully booked""#))
        }
    }

    @Test(
        "thirty days of half hours take at most 9,000 bytes, and limit and onlyFree shorten the result"
    )
    func size() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let ends = #""start":"\#(day(1))T00:00:00Z","end":"\#(day(31))T00:00:00Z""#
        let range = #""salonId":"\#(Sample.salon)",\#(ends)"#
        let whole = try await client.result("salons/availability", "{\(range)}")
        #expect(try whole.starts().count == 780)
        #expect(whole.text.utf8.count <= 9_000, "\(whole.text.utf8.count)")
        let time = try #require(whole.starts().first)
        _ = try await client.result("appointments/book", booking(Sample.salon, time))
        let first = try await client.result(
            "salons/availability",
            #"{\#(range),"limit":1,"onlyFree":true,"fields":["free"]}"#
        )
        let next = try #require(first.starts().first)
        #expect(try first.starts() == [next] && next == whole.starts()[1])
        #expect(first.text.contains(#""days":[{"date":"\#(next.prefix(10))","free":["#))
        let nextStart = try first.required("nextStart").string()
        let rest = try await client.result(
            "salons/availability",
            "{\(range.replacing("\(day(1))T00:00:00Z", with: nextStart))}"
        )
        #expect(try rest.starts().count == 778 && rest["nextStart"] == nil)
    }

    @Test(
        "without the availability of the server, the same slots are computed from salons and bookings"
    )
    func computed() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let urls = ["--salons-url", backend.url + "/salons"]
        let computing = try Novablend(
            urls + ["--appointments-url", backend.url + "/appointments"],
            in: client.directory
        )
        let time = try await client.result("salons/availability", range(paris, day(3)))
            .starts()[2]
        _ = try await client.result("appointments/book", booking(paris, time))
        let explain = #","explain":"\#(time)""#
        let server = try await client.result(
            "salons/availability",
            range(paris, day(3), explain)
        )
        let computed = try await computing.result(
            "salons/availability",
            range(paris, day(3), explain)
        )
        #expect(try computed.required("source").string() == "computed")
        // The salon was in the cache, and the server confirmed it.
        #expect(try computed.source() == "revalidated")
        for key: StaticString in ["days", "explanation"] {
            let texts = try [server, computed].map { result in
                let value = try result.required(key)
                return JSONFragment { $0.value(value) }.description
            }
            #expect(texts[0] == texts[1])
        }
        let explanation = try computed.required("explanation").object()
        #expect(try explanation.required("rule").string() == "taken")
        #expect(try explanation.required("ownBooking").object()["id"] != nil)
        backend.child.kill()
        let offline = try await computing.result("salons/availability", range(paris, day(3)))
        #expect(
            try offline.required("source").string() == "computed" && offline.source() == "cache"
        )
        #expect(try offline.starts("own").count == 1)
    }

    @Test(
        "a time off the grid is rejected with the rule, and the first alternative can be booked"
    )
    func offGrid() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let time = "\(day(3))T11:24:59"
        let failure = try await client.failure("appointments/book", booking(paris, time))
        #expect(failure.code == 1_210 && failure.name == "notBookable")
        let data = try #require(failure.data)
        #expect(try data.required("rule").string() == "offGrid")
        let free = try #require(try data.required("alternatives").array().first { _ in true })
        _ = try await client.result("appointments/book", booking(paris, try free.string()))
    }

    @Test("a booking returns the salon's name and its time on the salon's clock")
    func when() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let time = "\(day(3))T14:30:00"
        let booked = try await client.result("appointments/book", booking(paris, time))
        let appointment = try booked.required("appointment").object()
        let start = try appointment.required("start").string()
        #expect(start.hasPrefix(time))
        #expect(try appointment.required("zone").string() == "Europe/Paris")
        let weekday = Date(timeIntervalSinceNow: 3 * 86_400)
            .formatted(.dateTime.weekday(.wide).locale(Locale(identifier: "en_US")))
        #expect(try appointment.required("weekday").string() == weekday)
        #expect(try appointment.required("salonId").string() == paris)
        #expect(try appointment.required("salonName").string() == "Atelier Nova")
        let stored = try appointment.required("appointmentTime").string()
        // Only appointmentTime has an offset without a colon.
        #expect(stored.prefix(22) + ":" + stored.suffix(2) == start)
    }

    @Test("a local time is an error at a salon without a time zone, which needs an offset")
    func noZone() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let time = "\(day(3))T14:30:00"
        let failure = try await client.failure("appointments/book", booking(Sample.salon, time))
        #expect(failure.code == -32602 && failure.message.contains("offset"))
    }

    @Test(
        "an invalid request for slots is an error that names the parameter or the candidates",
        arguments: [
            (
                #"{"salonId":"5a100000-0000-4000-8000-000000000009","start":"2026-01-01T00:00:00Z","end":"2026-01-02T00:00:00Z"}"#,
                1_204, "salonId"
            ),
            (
                #"{"salonId":"5a100000-0000-4000-8000-000000000001","start":"2026-01-01T00:00:00Z","end":"2026-03-01T00:00:00Z"}"#,
                -32602, #""parameter":"end""#
            ),
            (
                #"{"salonId":"5a100000-0000-4000-8000-000000000001","start":"soon","end":"2026-03-01T00:00:00Z"}"#,
                -32602, #""parameter":"start""#
            ),
            (
                #"{"salonId":"5a100000-0000-4000-8000-000000000002","start":"2027-03-28T02:30:00","end":"2027-03-29T00:00:00"}"#,
                -32602, #""candidates":["2027-03-28T01:30:00+01:00","2027-03-28T03:30:00+02:00"]"#
            ),
            (
                #"{"salonId":"5a100000-0000-4000-8000-000000000002","start":"2027-03-28T00:30:00","end":"2027-03-29T00:00:00","explain":"2027-03-28T12:30:00+0100"}"#,
                -32602, #""parameter":"explain""#
            ),
        ]
    )
    func invalidRequest(params: String, code: Int, expected: String) async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let failure = try await client.failure("salons/availability", params)
        #expect(failure.code == code && failure.data?.text.contains(expected) == true, "\(failure)")
    }

    @Test("a salon in a time zone that this machine does not know is an error")
    func unknownZone() async throws {
        let server = try ScriptedServer { _ in
            .reply("200 OK", ZonedSalons.list(["Mars/Olympus"]))
        }
        let client = try Novablend(["--salons-url", server.url])
        let failure = try await client.failure(
            "salons/availability",
            range(ZonedSalons.id(0), day(1))
        )
        #expect(failure.name == "zoneUnknown" && failure.message.contains("Mars/Olympus"))
    }
}
