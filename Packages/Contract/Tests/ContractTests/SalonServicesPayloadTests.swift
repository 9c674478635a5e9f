import Contract
import Domain
import JSON
import SystemTestSupport
import Testing

@Suite("The JSON of a salon's weekly hours, services, and staff")
struct SalonServicesPayloadTests {
    private func json(_ members: String) -> [UInt8] {
        let salon = """
            {"id": "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01", "name": "n", "location": "l",
             "open_time": 9.30, "close_time": 22.30, \(members)}
            """
        return Array("{\"salons\": [\(salon)]}".utf8)
    }

    private func salon(_ members: String) throws -> Salon {
        try #require(try SalonListCodec.decode(json(members)).first)
    }

    @Test("is read back equal for generated salons, and written with the same bytes again")
    func roundTrip() throws {
        var generator = GeneratedSalon()
        let seed = generator.random.description
        for _ in 0..<500 {
            let salon = generator.next()
            let bytes = SalonCodec.encode(salon)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(try SalonCodec.decode(bytes) == salon, "\(seed) \(text)")
            var copy = JSONWriter()
            try SalonCodec.copy(try JSONDocument(parsing: bytes).root, to: &copy)
            #expect(JSONFragment(copy).bytes == bytes, "\(seed) \(text)")
        }
    }

    @Test("is read as the contract describes it")
    func example() throws {
        let salon = try salon(
            """
            "weekly": {"mon": [["09:00", "12:30"], ["14:00", "24:00"]], "fri": [["22:00", "02:00"]],
                       "sun": [], "sat": null},
            "services": [{"id": "cut", "name": "Cut", "minutes": 45, "buffer_after": 10,
                          "price": {"amount": 4500, "currency": "EUR"}},
                         {"id": "color", "name": "Color", "minutes": 90, "price": null}],
            "staff": [{"id": "ana", "name": "Ana", "services": ["color"],
                       "weekly": {"tue": [["10:00", "16:00"]]},
                       "exceptions": [{"date": "2026-12-24", "closed": true}]},
                      {"id": "bo", "name": "Bo"}],
            "seats": 1000
            """
        )
        let weekly = try #require(salon.weekly)
        #expect(weekly[.monday].map(\.description) == ["09:00-12:30", "14:00-00:00"])
        #expect(weekly[.friday].map(\.description) == ["22:00-02:00"])
        #expect(Weekday.allCases.filter { !weekly[$0].isEmpty } == [.monday, .friday])
        let price = Price(amount: 4_500, currency: "EUR")
        #expect(
            salon.services == [
                Service(id: "cut", name: "Cut", minutes: 45, bufferAfter: 10, price: price),
                Service(id: "color", name: "Color", minutes: 90),
            ]
        )
        #expect(salon.staff.map(\.services) == [["color"], nil])
        #expect(salon.staff[0].weekly?[.tuesday].text == "10:00-16:00")
        #expect(salon.staff[0].exceptions.map(\.hours) == [[]])
        #expect(salon.staff[1].weekly == nil && salon.seats == 1_000)
    }

    @Test("has exceptions with intervals, which count instead of the two times")
    func intervals() throws {
        let salon = try salon(
            """
            "exceptions": [
                {"date": "2026-12-24", "intervals": [["09:00", "12:00"], ["13:00", "01:00"]],
                 "open_time": 1, "close_time": 2},
                {"date": "2026-12-25", "intervals": []},
                {"date": "2026-12-26", "intervals": [["09:00", "12:00"]]},
                {"date": "2026-12-27", "intervals": [["x"]], "closed": true}]
            """
        )
        #expect(
            salon.exceptions.map(\.hours.text) == [
                "09:00-12:00, 13:00-01:00", nil, "09:00-12:00", nil,
            ]
        )
        let written = salon.exceptions.map {
            String(decoding: OpeningExceptionCodec.encode($0), as: UTF8.self)
        }
        #expect(
            written == [
                #"{"date":"2026-12-24","intervals":[["09:00","12:00"],["13:00","01:00"]],"#
                    + #""open_time":9.00,"close_time":1.00}"#,
                #"{"date":"2026-12-25","closed":true}"#,
                #"{"date":"2026-12-26","open_time":9.00,"close_time":12.00}"#,
                #"{"date":"2026-12-27","closed":true}"#,
            ]
        )
    }

    @Test(
        "may have values at the bounds",
        arguments: [
            #""services": [{"id": "!", "name": "", "minutes": 1, "buffer_before": 0}]"#,
            #""services": [{"id": "~", "name": "", "minutes": 1440, "buffer_before": 1440}]"#,
            #""services": [], "staff": [], "weekly": {}, "seats": 1"#,
            #""weekly": {"mon": [["00:00", "00:00"]], "tue": [["00:00", "24:00"]]}"#,
            #""weekly": {"mon": [["09:00", "12:00"], ["12:00", "09:00"]], "tue": [["09:00", "09:01"]]}"#,
            #""weekly": {"sun": [["23:59", "08:00"]], "mon": [["08:00", "12:00"]]}"#,
            #""weekly": {"mon": [["09:00", "10:00"]], "mon": 7}"#,
            #""staff": [{"id": "a", "name": "", "services": ["a", "a"]}, {"id": "A", "name": ""}]"#,
        ]
    )
    func bounds(members: String) throws {
        let salon = try salon(members)
        #expect(try SalonCodec.decode(SalonCodec.encode(salon)) == salon)
    }

    private static let invalid: [(members: String, path: String)] = [
        (#""weekly": []"#, "weekly"), (#""weekly": {"monday": []}"#, "weekly.monday"),
        (#""weekly": {"Mon": null}"#, "weekly.Mon"), (#""weekly": {"mon": {}}"#, "weekly.mon"),
        (#""weekly": {"mon": ["09:00", "12:00"]}"#, "weekly.mon[0]"),
        (#""weekly": {"mon": [["09:00"]]}"#, "weekly.mon[0]"),
        (#""weekly": {"mon": [["09:00", "12:00", "13:00"]]}"#, "weekly.mon[0]"),
        (#""weekly": {"mon": [["24:00", "12:00"]]}"#, "weekly.mon[0][0]"),
        (#""weekly": {"mon": [["9:00", "12:00"]]}"#, "weekly.mon[0][0]"),
        (#""weekly": {"mon": [["09:00", "24:01"]]}"#, "weekly.mon[0][1]"),
        (#""weekly": {"mon": [["09:00", 12]]}"#, "weekly.mon[0][1]"),
        (#""weekly": {"mon": [["09:00", "12:01"], ["12:00", "13:00"]]}"#, "weekly.mon[1]"),
        (#""weekly": {"mon": [["14:00", "15:00"], ["09:00", "10:00"]]}"#, "weekly.mon[1]"),
        (#""weekly": {"mon": [["22:00", "02:00"], ["23:00", "23:30"]]}"#, "weekly.mon[1]"),
        (
            #""weekly": {"mon": [["22:00", "08:01"]], "tue": [["08:00", "9:00"]]}"#,
            "weekly.tue[0][1]"
        ),
        (#""weekly": {"mon": [["22:00", "08:01"]], "tue": [["08:00", "09:00"]]}"#, "weekly.mon[0]"),
        (
            #""weekly": {"mon": [["08:00", "09:00"]], "sun": [["09:00", "10:00"], ["22:00", "08:01"]]}"#,
            "weekly.sun[1]"
        ),
        (#""exceptions": [{"date": "2026-12-24", "intervals": {}}]"#, "exceptions[0].intervals"),
        (
            #""exceptions": [{"date": "2026-12-24", "intervals": [["09:00", "10:00"], ["09:59", "11:00"]]}]"#,
            "exceptions[0].intervals[1]"
        ),
        (
            #""exceptions": [{"date": "2026-12-24", "intervals": [], "open_time": "9"}]"#,
            "exceptions[0].open_time"
        ),
        (#""services": {}"#, "services"), (#""services": [1]"#, "services[0]"),
        (#""services": [{"name": "n", "minutes": 5}]"#, "services[0].id"),
        (#""services": [{"id": "", "name": "n", "minutes": 5}]"#, "services[0].id"),
        (#""services": [{"id": "a b", "name": "n", "minutes": 5}]"#, "services[0].id"),
        (#""services": [{"id": "a", "minutes": 5}]"#, "services[0].name"),
        (#""services": [{"id": "a", "name": "n"}]"#, "services[0].minutes"),
        (#""services": [{"id": "a", "name": "n", "minutes": 0}]"#, "services[0].minutes"),
        (#""services": [{"id": "a", "name": "n", "minutes": 1441}]"#, "services[0].minutes"),
        (
            #""services": [{"id": "a", "name": "n", "minutes": 5, "buffer_before": -1}]"#,
            "services[0].buffer_before"
        ),
        (
            #""services": [{"id": "a", "name": "n", "minutes": 5, "buffer_after": 1441}]"#,
            "services[0].buffer_after"
        ),
        (
            #""services": [{"id": "a", "name": "n", "minutes": 5, "price": {"amount": 1}}]"#,
            "services[0].price.currency"
        ),
        (
            #""services": [{"id": "a", "name": "n", "minutes": 5, "price": {"currency": "EUR"}}]"#,
            "services[0].price.amount"
        ),
        (
            #""services": [{"id":"a","name":"n","minutes":5,"price":{"amount":-1,"currency":"EUR"}}]"#,
            "services[0].price.amount"
        ),
        (
            #""services": [{"id":"a","name":"n","minutes":5,"price":{"amount":1.5,"currency":"EUR"}}]"#,
            "services[0].price.amount"
        ),
        (
            #""services": [{"id":"a","name":"n","minutes":5,"price":{"amount":0,"currency":"eur"}}]"#,
            "services[0].price.currency"
        ),
        (
            #""services": [{"id":"a","name":"n","minutes":5},{"id":"a","name":"m","minutes":5}]"#,
            "services[1].id"
        ),
        (#""staff": "Ana""#, "staff"), (#""staff": [{"id": "a"}]"#, "staff[0].name"),
        (#""staff": [{"id": "a", "name": "n"}, {"id": "a", "name": "m"}]"#, "staff[1].id"),
        (#""staff": [{"id": "a", "name": "n", "services": "cut"}]"#, "staff[0].services"),
        (#""staff": [{"id": "a", "name": "n", "services": [1]}]"#, "staff[0].services[0]"),
        (
            #""staff": [{"id": "a", "name": "n", "weekly": {"mon": [["09:00", "x"]]}}]"#,
            "staff[0].weekly.mon[0][1]"
        ),
        (
            #""staff": [{"id": "a", "name": "n", "exceptions": [{"date": "2026-02-30"}]}]"#,
            "staff[0].exceptions[0].date"
        ),
        (#""seats": 0"#, "seats"), (#""seats": 1001"#, "seats"), (#""seats": 1.5"#, "seats"),
    ]

    @Test("is rejected with the path of an invalid value", arguments: invalid)
    func wrong(members: String, path: String) {
        let error = #expect(throws: JSONError.self) { try SalonListCodec.decode(json(members)) }
        guard case .mismatch(let found, _) = error else { return }
        #expect(found.description == "salons[0].\(path)")
    }

    @Test("reports every mismatch of weekly hours at once if asked")
    func collected() throws {
        let text = #"""
            {"mon": [["09:00", "x"], ["10:00", "11:00"], ["10:30", "12:00"], 7], "day": 1,
             "tue": [["20:00", "08:00"]], "wed": [["07:00", "08:00"]],
             "fri": [["20:00", "01:00"], ["23:00", "24:00"]]}
            """#
        var mismatches: [JSONError] = []
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        _ = WeeklyHoursCodec.read(root, collecting: &mismatches)
        #expect(
            mismatches.map(\.description) == [
                "day must be a day: mon, tue, wed, thu, fri, sat, sun",
                "mon[0][1] must be a time from 00:00 to 24:00",
                "mon[2] must be an interval that starts after the one before it ends, which is at 11:00",
                "mon[3] must be an interval with a start and an end; a day is a list of them, such as "
                    + #"[["09:00", "12:30"]]"#,
                "fri[1] must be an interval that starts after the one before it ends, which is at 01:00 "
                    + "on the next day",
                "tue[0] must be an interval that ends by 07:00, when the hours of wed start",
            ]
        )
    }
}
