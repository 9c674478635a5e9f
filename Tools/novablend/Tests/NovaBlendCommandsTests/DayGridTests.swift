import CommandLineKit
import JSON
import Testing

@testable import NovaBlendCommands

@Suite("A day")
struct DayGridTests {
    private static let date = "2026-11-23"

    private func staffed() throws -> WeekFixture {
        var fixture = WeekFixture()
        fixture.salon = """
            "slot_minutes":60,"open_time":9,"close_time":13,\
            "services":[{"id":"color","name":"Färben","minutes":120}],\
            "staff":[{"id":"a","name":"Ana 安娜"},\
            {"id":"b","name":"Ben","weekly":{"tue":[["09:00","12:00"]]}},{"id":"c","name":"Cem"}]
            """
        for (id, times) in [
            ("a", #","free":["11:00","12:00"],"taken":["09:00","10:00"]"#), ("b", ""),
            ("c", #","free":["09:00","10:00","12:00"],"taken":["11:00"]"#),
        ] {
            try fixture.add(staffID: id, days: [#"{"date":"\#(Self.date)"\#(times)}"#])
        }
        fixture.book("2026-11-23T09:00:00+01:00", #""serviceId":"color","staffId":"a","own":true"#)
        return fixture
    }

    @Test("has a column for each staff member, in which | continues what began before")
    func staff() throws {
        let lines = try staffed().dayReport().lines()
        #expect(
            lines == [
                "Sol, Berlin", "", "Monday 2026-11-23, Europe/Berlin",
                "TIME         Ana 安娜               Ben  Cem",
                "09:00-11:00  yours Färben +49 30 1  off  free",
                "11:00-12:00  free                   |    taken",
                "12:00-13:00  |                      |    free",
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test("names the columns and the times that do not fit on the terminal")
    func space() throws {
        var fixture = try staffed()
        let narrow = try fixture.dayReport().lines(width: 40)
        #expect(narrow.allSatisfy { DisplayWidth.of($0) <= 40 })
        #expect(narrow[3].hasPrefix("TIME         Ana 安娜") && !narrow[3].contains("Cem"))
        #expect(narrow.last == "not shown: Cem")
        fixture.now = "2026-11-23T11:30:00+01:00"
        let low = try fixture.dayReport().lines(width: 80, height: 3)
        #expect(low.count == 6 && low[4] == "11:30-12:00  free      off  taken", "\(low)")
        #expect(low[5] == "not shown: before 11:30, from 12:00 on")
    }

    @Test("has a column for each seat where there is no staff")
    func seats() throws {
        var fixture = WeekFixture()
        fixture.salon = #""slot_minutes":60,"open_time":9,"close_time":13,"seats":3"#
        try fixture.add(
            days: [
                #"{"date":"\#(Self.date)","free":["09:00","10:00","12:00"],"#
                    + #""freeCounts":[1,2,3],"taken":["11:00"]}"#
            ]
        )
        fixture.book("2026-11-23T09:00:00+01:00", #""seats":2"#)
        fixture.book("2026-11-23T11:00:00+01:00", "")
        fixture.book("2026-11-23T11:00:00+01:00", "")
        let lines = try fixture.dayReport().lines().dropFirst(3)
        #expect(
            lines == [
                "TIME         SEAT 1           SEAT 2           SEAT 3",
                "09:00-10:00  booked +49 30 1  booked +49 30 1  free",
                "10:00-11:00  free             free             taken",
                "11:00-12:00  booked +49 30 2  booked +49 30 3  taken",
                "12:00-13:00  free             free             free",
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test("on which the salon is closed says so")
    func closed() throws {
        var fixture = WeekFixture()
        fixture.salon = #""weekly":{"tue":[["09:00","12:00"]]},"open_time":9,"close_time":18"#
        try fixture.add(days: [#"{"date":"\#(Self.date)"}"#])
        #expect(
            try fixture.dayReport().lines().dropFirst(3) == ["TIME  STATE", "      closed"]
        )
    }

    @Test("shows times past midnight below the day on which the salon opened, with their date")
    func night() throws {
        var fixture = WeekFixture()
        fixture.salon = #""slot_minutes":60,"open_time":22,"close_time":2"#
        try fixture.add(
            days: [
                #"{"date":"\#(Self.date)","free":["22:00","23:00"]}"#, #"{"date":"2026-11-24"}"#,
            ]
        )
        fixture.book("2026-11-24T00:00:00+01:00", #""endTime":"2026-11-24T01:00:00+01:00""#)
        let lines = try fixture.dayReport().lines()
        let day = lines.drop { !$0.hasPrefix("Monday") }.dropFirst(2).prefix(2)
        let expected = [
            "22:00-24:00             free", "2026-11-24 00:00-01:00  booked +49 30 1",
        ]
        #expect(Array(day) == expected, "\(lines.joined(separator: "\n"))")
    }
}
