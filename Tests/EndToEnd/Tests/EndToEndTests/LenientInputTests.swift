import Foundation
import JSON
import Testing

/// Forms of input that real clients send.
@Suite("Lenient input", .throttled, .timeLimit(.minutes(10)))
struct LenientInputTests {
    private let backend: BackendProcess
    private let client: Novablend
    private let paris = "5a100000-0000-4000-8000-000000000002"

    init() async throws {
        backend = try await BackendProcess()
        client = try Novablend(["--base-url", backend.url])
    }

    private func day(_ days: Int) -> String {
        Date(timeIntervalSinceNow: Double(days) * 86_400).formatted(.iso8601.year().month().day())
    }

    private func days(_ params: String) async throws -> String {
        let days = try await client.result("salons/availability", params).required("days")
        return JSONFragment { $0.value(days) }.description
    }

    @Test("a number of days counts from a date or from today; without a range, it is one day")
    func dayCount() async throws {
        let salon = #""salonId":"\#(paris)""#
        let three = try await days(#"{\#(salon),"start":"\#(day(3))","days":3}"#)
        #expect(try await days(#"{\#(salon),"start":"\#(day(3))","end":"\#(day(5))"}"#) == three)
        let tomorrow = try await days(#"{\#(salon),"start":"tomorrow","end":"tomorrow"}"#)
        #expect(try await days(#"{\#(salon),"start":"tomorrow","days":1}"#) == tomorrow)
        #expect(try await days(#"{\#(salon),"explain":"tomorrow 11:30"}"#) == tomorrow)
        let today = try await days(#"{\#(salon),"start":"today","end":"today"}"#)
        #expect(try await days("{\(salon)}") == today && today != tomorrow)
        #expect(try await days(#"{\#(salon),"days":1}"#) == today)
    }

    @Test(
        "a number of days that does not fit is an error",
        arguments: [
            (#""days":0"#, "must be 1 to 366"), (#""days":367"#, "must be 1 to 366"),
            (#""days":2,"end":"tomorrow""#, "exclude each other"),
            (#""days":2,"start":"tomorrow 10:00""#, "needs a date"),
        ]
    )
    func wrongDayCount(members: String, reason: String) async throws {
        let params = #"{"salonId":"\#(paris)",\#(members)}"#
        let error = try await client.failure("salons/availability", params)
        #expect(error.code == -32_602 && error.message.contains(reason))
        #expect(try error.data?.required("parameter").string() == "days")
    }

    @Test("a date is a day on the salon's clock, from its beginning to its end")
    func dates() async throws {
        let whole = try await days(
            #"{"salonId":"\#(paris)","start":"\#(day(3))","end":"\#(day(3))"}"#
        )
        let exact = try await days(
            #"{"salonId":"\#(paris)","start":"\#(day(3))T00:00","end":"\#(day(4))T00:00"}"#
        )
        #expect(whole == exact && whole.contains(day(3)) && !whole.contains(day(4)))
    }

    @Test("appointmentTime needs no seconds, but it needs a time")
    func minutes() async throws {
        func booking(_ time: String) -> String {
            #"{"salonId":"\#(paris)","appointmentTime":"\#(time)","phone":"12345"}"#
        }
        let booked = try await client.result("appointments/book", booking("\(day(3))T14:30"))
        #expect(booked.text.contains("T14:30:00+0"))
        let failure = try await client.failure("appointments/book", booking(day(3)))
        #expect(failure.code == -32_602 && failure.message.contains("appointmentTime"))
    }

    @Test("openAt needs no offset: it is on the clock of each salon")
    func openAt() async throws {
        let open = try await client.result("salons/list", #"{"openAt":"\#(day(3))T14:30"}"#)
        #expect(open.text.contains(paris))
        let closed = try await client.result("salons/list", #"{"openAt":"\#(day(3))T04:30"}"#)
        #expect(!closed.text.contains(paris))
    }

    @Test(
        "a call that fills in every optional parameter is the same as one that omits them",
        arguments: ["null", #""""#, "[]"]
    )
    func filledIn(empty: String) async throws {
        let names = ["query", "openAt", "limit", "cursor", "fields"]
        let members = names.map { #""\#($0)":\#(empty)"# }.joined(separator: ",")
        let plain = try await client.result("salons/list")
        let list = try await client.result("salons/list", "{\(members)}")
        #expect(try list.required("salons").array().count == plain.required("salons").array().count)
        let tool = #"{"name":"salons_list","arguments":{\#(members)}}"#
        let called = try await client.result("tools/call", tool)
        #expect(called["isError"] == nil)
        let missing = #"{"salonId":\#(empty),"start":"\#(day(3))","end":"\#(day(3))"}"#
        let failure = try await client.failure("salons/availability", missing)
        #expect(failure.code == -32_602 && failure.message.contains("\"salonId\" is "))
    }

    @Test("a name is accepted in place of a salon's id")
    func names() async throws {
        let salon = try await client.result("salons/get", #"{"id":"scheren schnitt"}"#)
        #expect(try salon.required("salon").object().required("id").string() == Sample.salon)
        let booking =
            #"{"salonId":"Scherenschnitt","appointmentTime":"\#(day(3))T14:30+00:00","phone":"12345"}"#
        let booked = try await client.result("appointments/book", booking)
        let appointment = try booked.required("appointment").object()
        #expect(try appointment.required("salonId").string() == Sample.salon)
        let listed = try await client.result(
            "appointments/list",
            #"{"salonId":"Scherenschnitt Berlin"}"#
        )
        #expect(try listed.required("total").integer() == 1)
        let range = #""start":"\#(day(3))","end":"\#(day(3))""#
        #expect(try await days(#"{"salonId":"scherenSCHNITT",\#(range)}"#).contains(day(3)))
    }

    @Test(
        "a name that matches no salon, or several, is an error with candidates",
        arguments: [
            ("o", 2...6, 1...5), ("Unknown Berlin", 0...0, 1...5), ("unknown", 0...0, 0...0),
        ]
    )
    func ambiguous(name: String, matches: ClosedRange<Int>, shown: ClosedRange<Int>) async throws {
        for (method, rest) in [
            ("appointments/list", ""),
            ("appointments/book", #","appointmentTime":"\#(day(3))T14:30Z","phone":"12345""#),
        ] {
            let failure = try await client.failure(method, #"{"salonId":"\#(name)"\#(rest)}"#)
            let data = try #require(failure.data)
            #expect(failure.code == -32_602)
            #expect(try data.required("parameter").string() == "salonId")
            #expect(try matches.contains(data.required("matches").integer()))
            #expect(try shown.contains(data.required("salons").array().count))
        }
    }

    @Test("a query ignores spaces, and its words match across name and place")
    func search() async throws {
        for query in ["nightowl", "Night Owl Dublin", "dublin owl"] {
            let found = try await client.result("salons/list", #"{"query":"\#(query)"}"#)
            #expect(try found.required("total").integer() == 1 && found.text.contains("Night Owl"))
        }
    }

    @Test("times other than appointmentTime are RFC 3339")
    func timeFormat() async throws {
        let list = try await client.result("salons/list")
        let provenance = try list.required("provenance").object()
        for name: StaticString in ["fetchedAt", "expiresAt"] {
            let time = try provenance.required(name).string()
            #expect(
                try Date(time, strategy: .iso8601).timeIntervalSince1970 > 0 && time.last == "Z"
            )
        }
        let status = try await client.result("cache/status")
        #expect(!status.text.contains("+0000"))
    }
}
