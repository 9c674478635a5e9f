import CommandLineKit
import JSON
import Testing

@testable import NovaBlendCommands

@Suite("A week")
struct WeekTests {
    /// Shows the week of a result, without the three lines above the table.
    private func lines(_ fixture: WeekFixture, width: Int? = nil) throws -> [String] {
        try fixture.report().lines(width: width).dropFirst(3).map { $0 }
    }

    @Test("shows who is booked when, what is free, breaks, and closed days")
    func salon() throws {
        var fixture = WeekFixture()
        fixture.salon = """
            "weekly":{"mon":[["09:00","12:00"],["14:00","18:00"]],"wed":[["09:00","12:00"]]},
            "slot_minutes":60,"open_time":9,"close_time":18,
            "services":[{"id":"cut","name":"Cut","minutes":45}]
            """
        try fixture.add(
            days: [
                #"{"date":"2026-11-23","free":["10:00","11:00","14:00"],"taken":["09:00","15:00"]}"#,
                #"{"date":"2026-11-24","reason":"closed"}"#,
                #"{"date":"2026-11-25","free":["09:00","10:00","11:00"]}"#,
            ]
        )
        fixture.book("2026-11-23T09:00:00+01:00", #""serviceId":"cut","own":true"#)
        fixture.book("2026-11-23T15:00:00+01:00", "")
        #expect(
            try lines(fixture) == [
                "DAY             TIME         STATE        SERVICE  PHONE",
                "Mon 2026-11-23  09:00-09:45  yours        Cut      +49 30 1",
                "                10:00-12:00  free",
                "                12:00-14:00  break",
                "                14:00-15:00  free",
                "                15:00-16:00  booked                +49 30 2",
                "                16:00-18:00  unavailable",
                "Tue 2026-11-24               closed",
                "Wed 2026-11-25  09:00-12:00  free",
            ]
        )
    }

    private func staffed() throws -> WeekFixture {
        var fixture = WeekFixture()
        fixture.salon = """
            "slot_minutes":60,"services":[{"id":"color","name":"Färben","minutes":60,\
            "buffer_after":60}],"staff":[{"id":"a","name":"Ana 安娜"},\
            {"id":"b","name":"Ben","weekly":{"tue":[["09:00","12:00"]]}}]
            """
        let dates = ["2026-11-23", "2026-11-24"]
        try fixture.add(
            staffID: "a",
            days: dates.map { #"{"date":"\#($0)","free":["11:00"],"taken":["09:00","10:00"]}"# }
        )
        try fixture.add(
            staffID: "b",
            days: [
                #"{"date":"2026-11-23"}"#,
                #"{"date":"2026-11-24","taken":["09:00"],"unconfirmed":["10:00","11:00"]}"#,
            ]
        )
        fixture.salon += #","open_time":9,"close_time":12"#
        fixture.book("2026-11-23T09:00:00+01:00", #""serviceId":"color","staffId":"a""#)
        fixture.book("2026-11-24T10:00:00+01:00", #""endTime":"2026-11-24T11:00:00+01:00""#)
        return fixture
    }

    @Test("has a group for each staff member, and one for bookings without a staff member")
    func staff() throws {
        #expect(
            try lines(staffed(), width: 80) == [
                "DAY             TIME         STATE        SERVICE  PHONE",
                "",
                "Ana 安娜",
                "Mon 2026-11-23  09:00-10:00  booked       Färben   +49 30 1",
                // The buffer takes the hour before.
                "                11:00-12:00  free",
                "Tue 2026-11-24  09:00-11:00  taken",
                "                11:00-12:00  free",
                "",
                "Ben",
                "Mon 2026-11-23               off",
                "Tue 2026-11-24  09:00-10:00  taken",
                "                10:00-12:00  unconfirmed",
                "",
                "(no staff member)",
                "Tue 2026-11-24  10:00-11:00  booked                +49 30 2",
            ]
        )
    }

    @Test("has the days as headings on a narrow terminal, and no line is wider than it")
    func narrow() throws {
        let lines = try lines(staffed(), width: 44)
        #expect(
            lines.prefix(6) == [
                "TIME         STATE        SERVICE  PHONE", "", "Ana 安娜, Mon 2026-11-23",
                "09:00-10:00  booked       Färben   +49 30 1", "11:00-12:00  free", "",
            ]
        )
        for width in [10, 30, 44, 59, 60, 80] {
            let widths = try self.lines(staffed(), width: width).map(DisplayWidth.of)
            #expect(widths.allSatisfy { $0 <= width }, "\(width)")
        }
    }

    @Test("has escape sequences only where color is allowed")
    func color() throws {
        let report = try staffed().report()
        #expect(!report.lines(width: 80).joined().contains("\u{1B}"))
        let colored = report.lines(width: 80, isColored: true)
        #expect(colored.contains("\u{1B}[32m                11:00-12:00  free\u{1B}[0m"))
        #expect(colored.contains("\u{1B}[1mBen\u{1B}[0m"))
    }

    @Test("shows how many of several seats are free, and the seats of a booking")
    func seats() throws {
        var fixture = WeekFixture()
        fixture.salon = #""slot_minutes":60,"seats":3,"open_time":9,"close_time":13"#
        try fixture.add(
            days: [
                #"{"date":"2026-11-24","free":["09:00","10:00","12:00"],"taken":["11:00"],"#
                    + #""freeCounts":[3,1,3]}"#
            ]
        )
        fixture.book("2026-11-24T10:00:00+01:00", #""seats":2"#)
        fixture.book("2026-11-24T11:00:00+01:00", #""seats":3"#)
        #expect(
            try lines(fixture) == [
                "DAY             TIME         STATE   SEATS  PHONE",
                "Tue 2026-11-24  09:00-10:00  3 free",
                "                10:00-11:00  booked  2      +49 30 1",
                "                10:00-11:00  1 free",
                "                11:00-12:00  booked  3      +49 30 2",
                "                12:00-13:00  3 free",
            ]
        )
    }

    @Test("ends the past at the current time, and shows what is over on earlier days")
    func past() throws {
        var fixture = WeekFixture()
        fixture.now = "2026-11-24T10:20:59+01:00"
        fixture.salon = #""slot_minutes":60,"open_time":9,"close_time":12"#
        try fixture.add(days: [
            #"{"date":"2026-11-23"}"#, #"{"date":"2026-11-24","free":["11:00"]}"#,
        ])
        fixture.book("2026-11-23T10:00:00+01:00", #""seats":1"#)
        #expect(
            try lines(fixture) == [
                "DAY             TIME         STATE   PHONE",
                "Mon 2026-11-23  09:00-10:00  past",
                "                10:00-11:00  booked  +49 30 1",
                "                11:00-12:00  past",
                "Tue 2026-11-24  09:00-10:20  past",
                "                11:00-12:00  free",
            ]
        )
    }

    @Test("shows the hours past midnight with the day before, with their own date")
    func midnight() throws {
        var fixture = WeekFixture()
        fixture.now = "2026-11-23T00:30:00+01:00"
        fixture.from = "2026-11-23T00:00:00+01:00"
        fixture.salon = #""slot_minutes":60,"open_time":22,"close_time":2"#
        try fixture.add(
            days: [
                #"{"date":"2026-11-22","free":["2026-11-23T01:00"]}"#,
                #"{"date":"2026-11-23","free":["22:00","2026-11-24T01:00"],"#
                    + #""taken":["23:00","2026-11-24T00:00"]}"#,
                #"{"date":"2026-11-24","free":["22:00","23:00","2026-11-25T00:00","#
                    + #""2026-11-25T01:00"]}"#,
            ]
        )
        fixture.book("2026-11-23T23:00:00+01:00", #""endTime":"2026-11-24T01:00:00+01:00""#)
        #expect(
            try lines(fixture) == [
                "DAY             TIME                    STATE   PHONE",
                // The week begins at midnight.
                "Sun 2026-11-22  2026-11-23 00:00-00:30  past",
                "                2026-11-23 01:00-02:00  free",
                "Mon 2026-11-23  22:00-23:00             free",
                "                23:00-01:00             booked  +49 30 1",
                "                2026-11-24 01:00-02:00  free",
                "Tue 2026-11-24  22:00-02:00             free",
            ]
        )
    }

    @Test("shows no end of an appointment whose length is not known")
    func unknownEnd() throws {
        var fixture = WeekFixture()
        fixture.salon = #""open_time":9,"close_time":10"#
        try fixture.add(slotMinutes: 30, days: [#"{"date":"2026-11-24","free":["09:00"]}"#])
        fixture.book("2026-11-24T09:45:00+01:00", "")
        let lines = try lines(fixture)
        #expect(lines.contains("                09:45        booked  +49 30 1"), "\(lines)")
    }

    @Test("shows the UTC offset of a time that occurs twice, and skips no hour of a longer day")
    func clockChange() throws {
        var fixture = WeekFixture()
        fixture.now = "2026-10-24T08:00:00+02:00"
        fixture.salon = #""slot_minutes":60,"open_time":1,"close_time":4"#
        try fixture.add(
            days: [
                #"{"date":"2026-10-25","free":["01:00+02:00","02:00+01:00","03:00"],"#
                    + #""taken":["02:00+02:00"]}"#
            ]
        )
        fixture.book("2026-10-25T02:00:00+02:00", "")
        #expect(
            try lines(fixture) == [
                "DAY             TIME                     STATE   PHONE",
                "Sun 2026-10-25  01:00-02:00+02:00        free",
                "                02:00+02:00-02:00+01:00  booked  +49 30 1",
                "                02:00+01:00-04:00        free",
            ]
        )
    }

    @Test("shows that a day whose hours are shorter than an appointment cannot be booked")
    func shortDay() throws {
        var fixture = WeekFixture()
        fixture.salon = """
            "weekly":{"mon":[["09:00","09:59"]],"tue":[["09:00","10:00"]],\
            "wed":[["09:00","10:00"],["12:00","12:30"]]},\
            "slot_minutes":60,"open_time":9,"close_time":13
            """
        try fixture.add(
            days: [
                #"{"date":"2026-11-23","reason":"the server lists no free time"}"#,
                #"{"date":"2026-11-24","free":["09:00"]}"#,
                #"{"date":"2026-11-25","free":["09:00"]}"#,
            ]
        )
        #expect(
            try lines(fixture) == [
                "DAY             TIME         STATE",
                "Mon 2026-11-23  09:00-09:59  unavailable",
                "Tue 2026-11-24  09:00-10:00  free",
                "Wed 2026-11-25  09:00-10:00  free",
                "                10:00-12:00  break",
            ]
        )
    }

    @Test("shows what the server lists as free, even if the salon is closed according to its hours")
    func closed() throws {
        var fixture = WeekFixture()
        fixture.salon = """
            "slot_minutes":60,"open_time":9,"close_time":13,"exceptions":\
            [{"date":"2026-11-23","closed":true},{"date":"2026-11-24","closed":true}]
            """
        try fixture.add(
            days: [
                #"{"date":"2026-11-23","taken":["09:00"],"reason":"fully booked"}"#,
                #"{"date":"2026-11-24","free":["09:00"],"taken":["10:00"]}"#,
            ]
        )
        #expect(
            try lines(fixture) == [
                "DAY             TIME         STATE",
                "Mon 2026-11-23               closed",
                "Tue 2026-11-24  09:00-10:00  free",
                "                10:00-11:00  taken",
            ]
        )
    }

    @Test("of a salon without a time zone is shown at the offset of the result")
    func noZone() throws {
        var fixture = WeekFixture()
        fixture.zone = nil
        fixture.salon = #""slot_minutes":60,"open_time":9,"close_time":10"#
        try fixture.add(days: [#"{"date":"2026-11-24","free":["09:00"]}"#])
        let lines = try fixture.report().lines()
        #expect(
            lines == [
                "Sol, Berlin", "2026-11-24 to 2026-11-24", "", "DAY             TIME         STATE",
                "Tue 2026-11-24  09:00-10:00  free",
            ]
        )
    }

    @Test("that does not fit the height of the terminal says what it leaves out")
    func height() throws {
        let report = try staffed().report()
        let all = report.lines(width: 80)
        // The three lines above the table are not part of the space.
        #expect(report.lines(width: 80, height: all.count - 3) == all)
        let fitting = report.lines(width: 80, height: 6)
        #expect(fitting.count == 9 && fitting.prefix(8) == all.prefix(8))
        #expect(fitting.last == "10 more lines: Ana 安娜 from Tue 2026-11-24, Ben, (no staff member)")
        let narrow = report.lines(width: 30, height: 4)
        #expect(narrow.last == "16 more lines: Ana 安娜 from …")
    }
}
