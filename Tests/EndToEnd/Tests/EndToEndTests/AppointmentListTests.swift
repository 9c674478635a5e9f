import Foundation
import JSON
import Testing

@Suite("The list of appointments", .throttled, .timeLimit(.minutes(10)))
struct AppointmentListTests {
    private let server: ListServer
    private let client: Novablend
    private let berlin = ZonedSalons.id(0)

    init() throws {
        server = try ListServer()
        client = try Novablend(["--base-url", server.url])
        server.list(zones: ["Europe/Berlin", "America/New_York"])
        server.list([
            .init(id: "d", salon: 1, time: "2027-03-28T14:00:00+0000"),
            .init(id: "c", time: "2027-03-28T12:00:00+0000", more: #","status":"cancelled""#),
            .init(id: "b", time: "2027-03-28T10:00:00+0200"),
            .init(id: "a", time: "2027-03-28T00:30:00+0100", more: #","notes":"n""#),
        ])
    }

    private func list(_ params: String = "{}") async throws -> JSONObject {
        try await client.result("appointments/list", params)
    }

    private func ids(_ list: JSONObject) throws -> String {
        try list.required("appointments").array().map { try $0.object().required("id").string() }
            .joined()
    }

    @Test(
        "salon, range, and status filter the list; without them, cancelled appointments are left out",
        arguments: [
            ("{}", "abd"), (#"{"status":"booked"}"#, "abd"), (#"{"status":"cancelled"}"#, "c"),
            (#"{"status":"all"}"#, "abcd"),
            (#"{"salonId":"00000000-0000-4000-8000-000000000001"}"#, "d"),
            (#"{"salonId":"00000000-0000-4000-8000-000000000009"}"#, ""),
            (#"{"start":"2027-03-28T08:00:00Z"}"#, "bd"),
            (#"{"start":"2027-03-28T08:00:01Z"}"#, "d"),
            (#"{"end":"2027-03-28T10:00:00+0200"}"#, "a"),
            (#"{"start":"2027-03-28T08:00:00Z","end":"2027-03-28T14:00:00+0000"}"#, "b"),
            (#"{"start":"2027-03-28T08:00:00Z","end":"2027-03-28T08:00:01Z"}"#, "b"),
        ]
    )
    func filters(params: String, expected: String) async throws {
        let list = try await list(params)
        #expect(try ids(list) == expected)
        #expect(try list.required("total").integer() == expected.count)
        #expect(list["nextCursor"] == nil)
    }

    @Test("a local time or a date is on the clock of each salon")
    func localTimes() async throws {
        let local = #"{"salonId":"\#(berlin)","start":"2027-03-28T10:00:00","status":"all"}"#
        #expect(try await ids(list(local)) == "bc")
        // Two salons' clocks show 10:00 at different instants.
        let all = #"{"start":"2027-03-28T10:00","end":"2027-03-28T10:01"}"#
        #expect(try await ids(list(all)) == "bd")
        #expect(try await ids(list(#"{"start":"2027-03-28","end":"2027-03-28"}"#)) == "abd")
        #expect(try await ids(list(#"{"start":"2027-03-29"}"#)) == "")
        // The cache gives the same answer without a connection.
        server.goOffline()
        let cacheOnly = local.dropLast() + #","policy":"cacheOnly"}"#
        _ = try await list(String(cacheOnly))
    }

    @Test("each has a local time, for which the salons are requested once unless they are cached")
    func clocks() async throws {
        let first = try await list()
        #expect(first.text.contains(#""when""#) && server.salonRequests == 1)
        let elements = try await list().required("appointments").array()
        #expect(server.salonRequests == 1)
        let views = try elements.map { element in
            let when = try element.object().required("when").object()
            return try [
                when.required("utc").string(), when.required("local").string(),
                when.required("zone").string(), when.required("weekday").string(),
            ]
        }
        #expect(
            views == [
                [
                    "2027-03-27T23:30:00Z", "2027-03-28T00:30:00+01:00", "Europe/Berlin", "Sunday",
                ],
                [
                    "2027-03-28T08:00:00Z", "2027-03-28T10:00:00+02:00", "Europe/Berlin", "Sunday",
                ],
                [
                    "2027-03-28T14:00:00Z", "2027-03-28T10:00:00-04:00", "America/New_York",
                    "Sunday",
                ],
            ]
        )
        server.goOffline()
        let offline = try await list()
        #expect(try offline.source() == "cache" && offline.text.contains(#""when""#))
    }

    @Test("fields selects the members of appointments; the id is always included")
    func fields() async throws {
        _ = try await client.result("salons/list")
        let list = try await list(#"{"fields":["notes","when"],"limit":1}"#)
        let first = try #require(list.required("appointments").array().first { _ in true })
        #expect(try first.object().map(\.key) == ["id", "notes", "when"])
        let plain = try await self.list(#"{"fields":["salonId"]}"#)
        #expect(!plain.text.contains("when") && !plain.text.contains("phone"))
    }

    @Test("the next page repeats and skips nothing if appointments before it are added or removed")
    func pages() async throws {
        let entries = (10...15).map {
            ListServer.Entry(id: "\($0)", time: "2027-03-28T\($0):00:00+0000")
        }
        server.list(entries)
        let first = try await list(#"{"limit":2}"#)
        let cursor = try first.required("nextCursor").string()
        #expect(
            cursor.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        )
        // Both appointments of the first page are cancelled, and one is booked before them.
        var changed = entries
        changed[0].more = #","status":"cancelled""#
        changed.remove(at: 1)
        server.list([.init(id: "new", time: "2027-03-28T09:00:00+0000")] + changed)
        let second = try await list(#"{"limit":2,"cursor":"\#(cursor)"}"#)
        #expect(try ids(first) + ids(second) == "10111213")
        #expect(try second.required("total").integer() == 5)
        let next = try second.required("nextCursor").string()
        let third = try await list(#"{"cursor":"\#(next)"}"#)
        #expect(try ids(third) == "1415" && third["nextCursor"] == nil)
    }

    @Test(
        "an invalid parameter is an error that names it",
        arguments: [
            (#"{"salonId":"x"}"#, "salonId"), (#"{"start":"noon"}"#, "start"),
            (#"{"start":"2027-03-28T10"}"#, "start"), (#"{"end":7}"#, "end"),
            (#"{"start":"2027-03-28","end":"2027-03-26"}"#, "end"),
            (#"{"start":"2027-03-28T10:00:00Z","end":"2027-03-28T09:59:59Z"}"#, "end"),
            (#"{"status":"gone"}"#, "status"), (#"{"limit":0}"#, "limit"),
            (#"{"cursor":"2"}"#, "cursor"), (#"{"cursor":"WzEsMl0"}"#, "cursor"),
            (#"{"fields":["price"]}"#, "fields"), (#"{"since":"x"}"#, "since"),
        ]
    )
    func invalidParameter(params: String, parameter: String) async throws {
        let failure = try await client.failure("appointments/list", params)
        #expect(failure.code == -32_602)
        #expect(try failure.data?.required("parameter").string() == parameter)
    }
}
