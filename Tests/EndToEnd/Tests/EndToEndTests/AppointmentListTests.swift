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
        #expect(first.text.contains(#""zone""#) && server.salonRequests == 1)
        let elements = try await list().required("appointments").array()
        #expect(server.salonRequests == 1)
        let views = try elements.map { element in
            return try ["start", "zone", "weekday"].map {
                try element.object().required($0).string()
            }
        }
        #expect(
            views == [
                ["2027-03-28T00:30:00+01:00", "Europe/Berlin", "Sunday"],
                ["2027-03-28T10:00:00+02:00", "Europe/Berlin", "Sunday"],
                ["2027-03-28T10:00:00-04:00", "America/New_York", "Sunday"],
            ]
        )
        server.goOffline()
        let offline = try await list()
        #expect(try offline.source() == "cache" && offline.text.contains(#""zone""#))
    }

    /// Two salons with services: the first has a time zone, the second has none, and states no length.
    private static let salons = #"""
        {"salons":[{"id":"00000000-0000-4000-8000-000000000000","name":"Sol","location":"Madrid",
        "open_time":0,"close_time":0,"time_zone":"Europe/Madrid","slot_minutes":30,"services":
        [{"id":"cut","name":"Cut","minutes":45,"price":{"amount":1850,"currency":"EUR"}}],
        "staff":[{"id":"ana","name":"Ana"}]},
        {"id":"00000000-0000-4000-8000-000000000001","name":"Nova","location":"Paris",
        "open_time":0,"close_time":0}]}
        """#

    @Test(
        "each states its time once with its offset, and the price, even where a salon has no zone"
    )
    func times() async throws {
        server.list(salons: Self.salons)
        let service =
            #","serviceId":"cut","staffId":"ana","bookedService":{"id":"cut","name":"Cut (old)","#
            + #""minutes":30,"price":{"amount":1700,"currency":"EUR"}}"#
        server.list([
            // The end is in the first 02:30 of the night in which the clocks go back.
            .init(id: "a", time: "2027-10-31T00:00:00+0000", more: #","serviceId":"cut""#),
            .init(
                id: "b",
                time: "2027-10-31T01:30:00+0000",
                more: #","endTime":"2027-10-31T02:00:00+0000""# + service
            ),
            .init(id: "c", salon: 1, time: "2027-11-01T09:30:00-0300"),
            .init(
                id: "d",
                salon: 1,
                time: "2027-11-02T09:30:00Z",
                more: #","endTime":"2027-11-02T10:00:00+0000""#
            ),
            .init(id: "e", salon: 7, time: "2027-11-03T09:30:00+0100", more: #","serviceId":"x""#),
        ])
        let listed = try await list().required("appointments").array()
        let salon = #""salonId":"00000000-0000-4000-8000-00000000000"#
        let phone = #","phone":"12345""#
        let a =
            #"{"id":"a",\#(salon)0","appointmentTime":"2027-10-31T00:00:00+0000"\#(phone),"#
            + #""serviceId":"cut","salonName":"Sol","start":"2027-10-31T02:00:00+02:00","#
            + #""end":"2027-10-31T02:45:00+02:00","zone":"Europe/Madrid","weekday":"Sunday","#
            + #""service":"Cut","price":"18.50 EUR"}"#
        let b =
            #"{"id":"b",\#(salon)0","appointmentTime":"2027-10-31T01:30:00+0000"\#(phone),"#
            + #""serviceId":"cut","staffId":"ana","salonName":"Sol","#
            + #""start":"2027-10-31T02:30:00+01:00","end":"2027-10-31T03:00:00+01:00","#
            + #""zone":"Europe/Madrid","weekday":"Sunday","service":"Cut (old)","staff":"Ana","#
            + #""price":"17.00 EUR"}"#
        let c =
            #"{"id":"c",\#(salon)1","appointmentTime":"2027-11-01T09:30:00-0300"\#(phone),"#
            + #""salonName":"Nova","start":"2027-11-01T09:30:00-03:00","weekday":"Monday"}"#
        let d =
            #"{"id":"d",\#(salon)1","appointmentTime":"2027-11-02T09:30:00+0000"\#(phone),"#
            + #""salonName":"Nova","start":"2027-11-02T09:30:00+00:00","#
            + #""end":"2027-11-02T10:00:00+00:00","weekday":"Tuesday"}"#
        let e =
            #"{"id":"e",\#(salon)7","appointmentTime":"2027-11-03T09:30:00+0100"\#(phone),"#
            + #""serviceId":"x","start":"2027-11-03T09:30:00+01:00","weekday":"Wednesday"}"#
        #expect(listed.map(\.description) == [a, b, c, d, e])
    }

    /// A list of 13 appointments took 7,436 bytes when each appointment stated its time four times.
    @Test("13 appointments with services and prices take at most 5,240 bytes")
    func size() async throws {
        server.list(salons: Self.salons)
        server.list(
            (10...22).map { hour in
                .init(
                    id: "01a22354-b594-7635-88a1-3845322b0c\(hour)",
                    time: "2027-03-02T\(hour):00:00+0100",
                    more: #","version":1,"serviceId":"cut","staffId":"ana","#
                        + #""endTime":"2027-03-02T\#(hour):45:00+0100","staffAssigned":true,"#
                        + #""bookedService":{"id":"cut","name":"Cut","minutes":45,"#
                        + #""price":{"amount":1850,"currency":"EUR"}}"#
                )
            }
        )
        let listed = try await list().required("appointments").array()
        #expect(listed.map(\.description.utf8.count).reduce(0, +) <= 5_240 && listed.count == 13)
    }

    @Test("fields selects the members of appointments; the id is always included")
    func fields() async throws {
        _ = try await client.result("salons/list")
        let list = try await list(#"{"fields":["notes","start"],"limit":1}"#)
        let first = try #require(list.required("appointments").array().first { _ in true })
        #expect(try first.object().map(\.key) == ["id", "notes", "start"])
        let plain = try await self.list(#"{"fields":["salonId"]}"#)
        #expect(!plain.text.contains("start") && !plain.text.contains("phone"))
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
            (#"{"fields":["cost"]}"#, "fields"), (#"{"since":"x"}"#, "since"),
        ]
    )
    func invalidParameter(params: String, parameter: String) async throws {
        let failure = try await client.failure("appointments/list", params)
        #expect(failure.code == -32_602)
        #expect(try failure.data?.required("parameter").string() == parameter)
    }
}
