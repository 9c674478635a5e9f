import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

/// The source of availability if the URL of the server has a query, and if the server fails.
@Suite("Sources of availability", .throttled, .timeLimit(.minutes(10)))
struct AvailabilitySourceTests {
    private static let salon =
        #"{"id":"\#(Sample.salon)","name":"A","location":"B","open_time":9.30,"close_time":22.30}"#
    private static let range =
        #"{"salonId":"\#(Sample.salon)","start":"2030-01-07T10:00:00+0000","#
        + #""end":"2030-01-07T12:00:00+0000"}"#

    /// A server that lists one salon, and passes the requested paths to `paths`.
    private func server(_ paths: @escaping @Sendable (String) -> Void) throws -> ScriptedServer {
        try ScriptedServer { connection in
            let path = connection.request.split(separator: " ").dropFirst().first ?? ""
            paths(String(path))
            if path.contains("/availability") { return .reply("200 OK", #"{"slots":[]}"#) }
            if path.hasPrefix("/api/salons") {
                return .reply("200 OK", #"{"salons":[\#(Self.salon)]}"#)
            }
            return .reply("404 Not Found", "")
        }
    }

    @Test("the query of the base URL or of the availability URL is extended, not replaced")
    func query() async throws {
        let paths = Mutex<[String]>([])
        let server = try server { path in paths.withLock { $0.append(path) } }
        let options = [
            ["--base-url", server.url + "/api?tenant=7"],
            [
                "--base-url", server.url + "/api", "--availability-url",
                server.url + "/api/availability/{id}?tenant=7",
            ],
        ]
        for options in options {
            paths.withLock { $0 = [] }
            let result = try await Novablend(options).result("salons/availability", Self.range)
            #expect(try result.required("source").string() == "server")
            let path = try #require(paths.withLock { $0.first { $0.contains("availability") } })
            #expect(path.contains(Sample.salon) && path.split(separator: "?").count == 2)
            #expect(path.contains("?tenant=7&start=2030-01-07T10%3A00%3A00%2B0000&end="))
        }
    }

    @Test("start times are unconfirmed until the bookings are known")
    func unknownBookings() async throws {
        let directory = try TemporaryDirectory()
        let isOffline = Mutex(false)
        let salons = #"{"salons":[\#(Self.salon)]}"#
        let server = try ScriptedServer { connection in
            if isOffline.withLock(\.self) || !connection.request.hasPrefix("GET /salons ") {
                return .hangUp
            }
            return .reply("200 OK", salons)
        }
        let client = try Novablend(["--base-url", server.url], in: directory)
        _ = try await client.result("salons/list")
        isOffline.withLock { $0 = true }
        let result = try await client.result("salons/availability", Self.range)
        #expect(try result.required("source").string() == "computed")
        #expect(try result.source() == "none")
        #expect(try result.required("slotMinutes").integer() == 30)
        #expect(try result.required("slotMinutesAssumed").bool())
        #expect(try result.starts("unconfirmed").count == 4 && result.starts().isEmpty)
    }

    @Test("own bookings without the server's list are shown as incomplete, and prove no time free")
    func onlyOwnBookings() async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        _ = try await client.result("salons/list")
        let booking = fixture.booking()
        _ = try await client.result("appointments/book", booking.params)
        let online = try await client.result("appointments/list")
        #expect(try online.required("provenance").object()["complete"] == nil)

        let other = try BookingFixture()
        let offline = try other.client()
        _ = try await offline.result("salons/list")
        _ = try await offline.result("appointments/book", booking.params)
        other.server.setFault { _, _ in .hangUp }
        let day = booking.time.prefix(10)
        let range = #"{"salonId":"\#(Sample.salon)","start":"\#(day)T00:00:00Z","#
        for policy in ["serverFirst", "cacheOnly", "cacheFirst"] {
            let list = try await offline.result(
                "appointments/list",
                #"{"policy":"\#(policy)"}"#
            )
            #expect(try list.count("appointments") == 1)
            let provenance = try list.required("provenance").object()
            #expect(try provenance.required("complete").bool() == false, "\(policy)")
        }
        let times = try await offline.result(
            "salons/availability",
            range + #""end":"\#(day)T23:59:00Z"}"#
        )
        #expect(try times.starts().isEmpty && times.starts("unconfirmed").count > 10)
        #expect(try times.starts("own").count == 1)
        #expect(try times.required("provenance").object().required("complete").bool() == false)
        let status = try await offline.result("cache/status")
        #expect(status.text.contains(#""state":"incomplete","count":1"#), "\(status.text)")
        let shown = try await offline.result("appointments/export")
        #expect(try shown.required("provenance").object()["complete"] != nil)
    }

    @Test("the notes for a person say that a list with only own bookings is incomplete")
    func onlyOwnBookingsShown() async throws {
        let fixture = try BookingFixture()
        let cli = try CommandLineClient(["--base-url", fixture.server.url])
        #expect(try await cli.book().code == 0)
        fixture.server.setFault { _, _ in .hangUp }
        #expect(try await cli.run("cache").output.contains("incomplete"))
        for words in [
            ["appointments"], ["slots", Sample.salon, "--day", "tomorrow"],
            ["week", Sample.salon],
        ] {
            let outcome = try await cli.run(words)
            #expect(outcome.code == 0 && outcome.errors.contains("incomplete: "), "\(outcome)")
        }
    }

    @Test("a time in a repeated hour has its offset, and a slot of an unusual length its end")
    func clockChange() async throws {
        let slots = [
            ("2027-10-31T00:30:00Z", "2027-10-31T01:00:00Z"),
            ("2027-10-31T01:30:00Z", "2027-10-31T02:15:00Z"),
        ].map { #"{"start":"\#($0)","end":"\#($1)","available":true}"# }
        let salons = ZonedSalons.list(["Europe/Berlin"])
        let server = try ScriptedServer { connection in
            connection.request.contains("/availability")
                ? .reply("200 OK", #"{"slots":[\#(slots.joined(separator: ","))]}"#)
                : .reply("200 OK", salons)
        }
        let client = try Novablend(["--base-url", server.url])
        let range = #""start":"2027-10-30T00:00:00","end":"2027-11-01T00:00:00""#
        let result = try await client.result(
            "salons/availability",
            #"{"salonId":"\#(ZonedSalons.id(0))",\#(range)}"#
        )
        #expect(result["offset"] == nil)
        let days = try result.required("days").array().map { try $0.object() }
        #expect(try days.map { try $0.required("offset").string() } == ["+02:00", "+01:00"])
        let free = try result.startsByDay("free").map(\.time)
        #expect(free == ["02:30+02:00", "02:30+01:00/03:15"])
    }
}
