import Domain
import Testing

@testable import NovaBlendSalonFiles

@Suite("Problems in a file of salons")
struct SalonFileProblemTests {
    private let valid = #""name":"A","location":"B","open_time":9,"close_time":10"#
    private let id = "5a100000-0000-4000-8000-000000000001"

    /// A salon that is valid apart from `member`, which replaces the member of the same name.
    private func salon(_ member: String) -> String {
        let members = ["\"id\":\"\(id)\""] + valid.split(separator: ",").map(String.init)
        let name = member.prefix { $0 != ":" }
        return "{" + (members.filter { !$0.hasPrefix(name) } + [member]).joined(separator: ",")
            + "}"
    }

    private static let interval =
        #"must be an interval with a start and an end; a day is a list of them, such as "#
        + #"[["09:00", "12:30"]]"#

    @Test(
        "are found in each member",
        arguments: [
            (#""id":1"#, "id must be a string"),
            (#""id":"x""#, "id must be a UUID"),
            (#""name":null"#, "name must be a string"),
            (#""location":[]"#, "location must be a string"),
            (#""phone":1"#, "phone must be a string"),
            (#""aliases":"x""#, "aliases must be an array"),
            (#""aliases":["x", 1]"#, "aliases[1] must be a string"),
            (#""aliases":["x", " "]"#, "aliases[1] must not be blank"),
            (#""open_time":"9:30""#, "open_time must be a number"),
            (
                #""open_time":9.6"#,
                "open_time must be a time as hour.minute from 0.00 to 23.59, such as 9.36 for 09:36"
            ),
            (#""close_time":24"#, "close_time must be a time as hour.minute from 0.00 to 23.59"),
            (#""slot_minutes":4"#, "slot_minutes must be a slot length from 5 to 1440 minutes"),
            (#""slot_minutes":1441"#, "slot_minutes must be a slot length from 5 to 1440 minutes"),
            (#""slot_minutes":7.5"#, "slot_minutes must be an integer"),
            (
                #""time_zone":"a b""#,
                "time_zone must be the name of a time zone, like Europe/Berlin"
            ),
            (
                #""time_zone":"Europe/Berlni""#,
                "time_zone must be a time zone that this machine knows"
            ),
            (#""lead_minutes":-1"#, "lead_minutes must be a lead time from 0 to 527040 minutes"),
            (#""furthest_days":3661"#, "furthest_days must be a furthest day from 0 to 3660 days"),
            (
                #""max_active_per_customer":0"#,
                "max_active_per_customer must be a limit from 1 to 1000 appointments"
            ),
            (
                #""max_per_day_per_customer":1001"#,
                "max_per_day_per_customer must be a limit from 1 to 1000 appointments"
            ),
            (#""exceptions":{}"#, "exceptions must be an array"),
            (#""exceptions":[1]"#, "exceptions[0] must be an object"),
            (
                #""exceptions":[{"date":"2026-12-25"}]"#,
                "exceptions[0].open_time must be present|exceptions[0].close_time must be present"
            ),
            (
                #""exceptions":[{"date":"2026-02-30","closed":true},{"date":1,"closed":1}]"#,
                "exceptions[0].date must be a date like 2026-12-24"
                    + "|exceptions[1].date must be a string"
                    + "|exceptions[1].closed must be true or false"
            ),
            (
                #""exceptions":[{"from":"2026-12-25","to":"2026-12-24","closed":true},"#
                    + #"{"to":"2026-12-24","closed":true},"#
                    + #"{"date":"2026-12-24","from":"2026-12-24","closed":true}]"#,
                "exceptions[0].to must be a date that is not before from, which is 2026-12-25"
                    + "|exceptions[1].from must be present"
                    + "|exceptions[2].from must be absent, because there is a date"
            ),
            (
                #""exceptions":[{"from":"2026-12-24","to":"2027-01-06","closed":true},"#
                    + #"{"date":"2026-12-25","closed":true},"#
                    + #"{"from":"2027-01-06","to":"2029-01-07","closed":true}]"#,
                "exceptions[2].to must be at most 730 days after from"
                    + "|exceptions[1].date must not be a day of exceptions[0], too"
                    + "|exceptions[2].from must not be a day of exceptions[0], too"
            ),
            (#""slot_minutes":7"#, "slot_minutes must be a multiple of 5 minutes"),
            (#""close_time":9.59"#, "close_time must be a multiple of 5 minutes"),
            (#""seats":0"#, "seats must be a number of seats from 1 to 1000"),
            (#""seats":285"#, ""),
            (
                #""seats":286"#,
                "seats must be at most 285, because an appointment can take 30 minutes, buffers "
                    + "included, and a booking takes at most 2000 units of five minutes"
            ),
            // How many seats are possible depends on members that could not be read.
            (
                #""seats":1000,"services":[{"id":"a","name":"n","minutes":0}]"#,
                "services[0].minutes must be a duration from 1 to 1440 minutes"
            ),
            (#""seats":1000,"staff":5"#, "staff must be an array"),
            (
                #""exceptions":[{"date":"2026-12-25","intervals":[["9:00","10:00"],["09:30"]]}]"#,
                "exceptions[0].intervals[0][0] must be a time from 00:00 to 23:59|"
                    + "exceptions[0].intervals[1] \(interval)"
            ),
            (
                #""weekly":{"mon":[["09:00","10:00"],["09:59","11:00"],["12:00","x"]],"Tue":[],"#
                    + #""wed":[["22:00","09:00"]],"thu":[["08:55","10:00"]]}"#,
                "weekly.Tue must be a day: mon, tue, wed, thu, fri, sat, sun"
                    + "|weekly.mon[1] must be an interval that starts after the one before it ends, "
                    + "which is at 10:00|weekly.mon[2][1] must be a time from 00:00 to 24:00"
                    + "|weekly.wed[0] must be an interval that ends by 08:55, "
                    + "when the hours of thu start"
            ),
            (
                #""services":[{"id":"a","name":"n","minutes":7,"buffer_before":2881},"#
                    + #"{"id":"a","name":"n","minutes":10,"price":{"amount":5}},"#
                    + #"{"id":"b","name":"n","minutes":10,"buffer_after":4}, 5, 6]"#,
                "services[0].buffer_before must be a buffer from 0 to 1440 minutes"
                    + "|services[1].price.currency must be present"
                    + "|services[3] must be an object|services[4] must be an object"
                    + "|services[1].id must be an id that no other service has"
                    + "|services[0].minutes must be a multiple of 5 minutes"
                    + "|services[2].buffer_after must be a multiple of 5 minutes"
            ),
            (
                #""staff":[{"id":"a","name":"n","services":["cut"]},{"id":"a","name":"n"},"#
                    + #"{"id":"b","name":"n","weekly":{"mon":[["09:00","10:01"]],"tue":[["x"]]}},"#
                    + #"{"id":"c","name":"n","weekly":{"mon":[["09:00","10:01"]]}}]"#,
                "staff[2].weekly.tue[0] \(interval)"
                    + "|staff[1].id must be an id that no other staff member has"
                    + "|staff[0].services[0] must be the id of a service of the salon"
                    + "|staff[3].weekly.mon[0][1] must be a multiple of 5 minutes"
            ),
        ]
    )
    func members(member: String, found: String) {
        let expected = found.split(separator: "|").map { "error: salons[0].\($0)" }
        #expect(messages(#"{"salons":[\#(salon(member))]}"#) == expected)
    }

    @Test("are found in all members of all salons at once")
    func all() {
        let text = #"""
            {"salons":[{"id":7,"open_time":"x","close_time":99,"phone":3,"exceptions":[0,{}]},
            {\#(valid)}, 5, {"id":"\#(id)"}, {"id":"\#(id.uppercased())",\#(valid),"slot_minutes":0}]}
            """#
        #expect(
            messages(text) == [
                "error: salons[0].id must be a string",
                "error: salons[0].name must be present",
                "error: salons[0].location must be present",
                "error: salons[0].phone must be a string",
                "error: salons[0].open_time must be a number",
                "error: salons[0].close_time must be a time as hour.minute from 0.00 to 23.59",
                "error: salons[0].exceptions[0] must be an object",
                "error: salons[0].exceptions[1].date must be present",
                "error: salons[0].exceptions[1].open_time must be present",
                "error: salons[0].exceptions[1].close_time must be present",
                "error: salons[2] must be an object",
                "error: salons[3].name must be present",
                "error: salons[3].location must be present",
                "error: salons[3].open_time must be present",
                "error: salons[3].close_time must be present",
                "error: salons[4].slot_minutes must be a slot length from 5 to 1440 minutes",
                "error: salons[4].id is also the id of salons[3]",
                "error: salons[4].name is also the name of salons[1]; give both an id",
            ]
        )
    }

    @Test("are warnings for unknown and repeated members and for equal names")
    func warnings() {
        let other = "5a100000-0000-4000-8000-000000000002"
        let text = #"""
            {"salons":[{"id":"\#(id)",\#(valid),"opentime":9,"zone":1,"phone":"1","phone":2,"version":3},
            {"id":"\#(other)",\#(valid),"exceptions":[{"date":"2026-12-25","close":1,"closed":true},
            {"date":"2026-12-26","open_time":9,"close_time":10}]}],
            "next":"/salons"}
            """#
        let file = salonFile(text)
        #expect(file.isValid && file.entries.map(\.salon.phone) == ["1", nil])
        #expect(
            file.problems.map(\.description) == [
                "warning: salons[0].opentime is not known and will be ignored; did you mean "
                    + "open_time?",
                "warning: salons[0].zone is not known and will be ignored; did you mean time_zone?",
                "warning: salons[0].phone is present more than once; the first one is used",
                "warning: salons[1].exceptions[0].close is not known and will be ignored; did you "
                    + "mean closed?",
                "warning: salons[1].name is also the name of salons[0]; users then need its id",
            ]
        )
    }

    @Test("are warnings for hours that are not the summary of the week")
    func summary() {
        let other = "5a100000-0000-4000-8000-000000000002"
        let text = #"""
            {"salons":[{"id":"\#(id)","name":"A","location":"B","open_time":9,"close_time":2,
            "weekly":{"mon":[["08:55","12:00"]],"fri":[["20:00","02:00"]]}},
            {"id":"\#(other)","name":"C","location":"B","open_time":9,"close_time":12,
            "weekly":{"mon":[["09:00","12:05"]]}},
            {"name":"D","location":"B","open_time":9,"close_time":12,
            "weekly":{"mon":[["10:00","12:00"]],"tue":[["09:00","11:00"]]}},
            {"name":"E","location":"B","open_time":9,"close_time":12,"weekly":{}}]}
            """#
        #expect(
            messages(text) == [
                "warning: salons[0].open_time is not the earliest opening in weekly, which is 08:55",
                "warning: salons[1].close_time is not the latest closing in weekly, which is 12:05",
                "warning: salons[3] cannot be booked: it is never open",
            ]
        )
    }

    @Test("in hours, services, and staff have the line and the column in CSV")
    func schedulesInCSV() {
        let text = """
            name,location,open_time,close_time,weekly,exceptions,services,staff,seats
            A,B,9:00,10:00,mon 9:00;monday 9:00-10:00;tue,2026-12-25 9:00-10:00 9:30-25:00,[x,{},many
            """
        #expect(
            messages(text) == [
                "error: salons[0].exceptions[0].intervals[1][1] must be a time from 00:00 to 24:00 "
                    + "(line 2, column exceptions)",
                "error: salons[0].weekly.monday must be a day: mon, tue, wed, thu, fri, sat, sun "
                    + "(line 2, column weekly)",
                "error: salons[0].weekly.mon[0] \(Self.interval) (line 2, column weekly)",
                "error: salons[0].weekly.tue[0] \(Self.interval) (line 2, column weekly)",
                "error: salons[0].services must be a list in JSON, such as "
                    + #"[{"id": "ana", "name": "Ana"}] (line 2, column services)"#,
                "error: salons[0].staff must be a list in JSON, such as "
                    + #"[{"id": "ana", "name": "Ana"}] (line 2, column staff)"#,
                "error: salons[0].seats must be an integer (line 2, column seats)",
            ]
        )
    }

    @Test(
        "are found in the whole text",
        arguments: [
            ("{", "not JSON"), (#"{"salons":1}"#, "salons must be an array"),
            ("[]", #"the document must be an object, as in {"salons": [...]}"#),
            ("{}", "salons must be present"),
            (
                #"{"salons":[{\#("\"name\":\"A\",\"location\":\"B\",\"open_time\":9,\"close_time\":10")}],"salons":[]}"#,
                "salons is present more than once; only the first was read"
            ),
        ]
    )
    func text(text: String, message: String) {
        let found = messages(text)
        #expect(found.count == 1 && found.first?.hasPrefix("error: \(message)") == true, "\(found)")
    }

    @Test("in the syntax of some salons are found together with those of the others")
    func syntax() {
        let text = #"""
            {"salons": [
            {\#(valid)},
            {"name": "B" "location": 1},
            {"name": "E", "location": "F", "open_time": "x", "close_time": 10},
            {"name": "C", "location": "D",},
            7]}
            """#
        let found = messages("\u{FEFF}" + text)
        #expect(found.count == 4, "\(found)")
        for (message, part) in zip(
            found,
            [
                ("error: salons[1] is not JSON: ", "(line 3)"),
                ("error: salons[2].open_time must", ""),
                ("error: salons[3] is not JSON: ", "(line 5)"), ("error: salons[4] must be", ""),
            ]
        ) { #expect(message.hasPrefix(part.0) && message.hasSuffix(part.1)) }
        for text in [#"{"salons":[{\#(valid)} {\#(valid)}]}"#, #"{"salons":[{\#(valid)}"#] {
            #expect(messages(text).contains { $0.hasPrefix("error: not JSON: ") }, "\(text)")
        }
    }

    @Test("have the line and the column in CSV")
    func csv() {
        let text = """
            name,location,open_time,close_time,slot_minutes,zone,exceptions,id
            A,B,25:00,9 Uhr,x,,2026-12-25 open; 2026-12-26 10:00-99:00;,7
            A,"B
            ",9:00
            ,,9:75,10:00,3,,2026-12-24,
            B,C"D,9:00,10:00,30,,,
            """
        #expect(
            messages(text) == [
                "warning: the column is not known and will be ignored; did you mean time_zone? "
                    + "(line 1, column zone)",
                "error: salons[0].id must be a UUID (line 2, column id)",
                "error: salons[0].open_time must be a time from 00:00 to 23:59 "
                    + "(line 2, column open_time)",
                "error: salons[0].close_time must be a time from 00:00 to 23:59 "
                    + "(line 2, column close_time)",
                "error: salons[0].slot_minutes must be an integer (line 2, column slot_minutes)",
                "error: salons[0].exceptions[0] must be an entry such as "
                    + "2026-12-21..2027-01-06 closed or 2026-12-24 10:00-13:00 (line 2, column exceptions)",
                "error: salons[0].exceptions[1].close_time must be a time from 00:00 to 23:59 "
                    + "(line 2, column exceptions)",
                "error: salons[1] has 3 fields, but the header has 8, and ends in line 4 (line 3)",
                "error: salons[2].name must be present (line 5, column name)",
                "error: salons[2].location must be present (line 5, column location)",
                "error: salons[2].open_time must be a time from 00:00 to 23:59 "
                    + "(line 5, column open_time)",
                "error: salons[2].slot_minutes must be a slot length from 5 to 1440 minutes "
                    + "(line 5, column slot_minutes)",
                "error: salons[2].exceptions[0] must be an entry such as "
                    + "2026-12-21..2027-01-06 closed or 2026-12-24 10:00-13:00 (line 5, column exceptions)",
                "error: salons[3] has a quote in a field without quotes; write \"a \"\"b\"\" c\" "
                    + "(line 6)",
            ]
        )
    }

    @Test("in the header of a CSV file do not hide those in its lines")
    func header() {
        #expect(
            messages("name,open_time,name,close_time\nA,x,B,10:00\n") == [
                "error: the header lacks a column (line 1, column location)",
                "error: the header has a column twice (line 1, column name)",
                "error: salons[0].open_time must be a time from 00:00 to 23:59 "
                    + "(line 2, column open_time)",
            ]
        )
        #expect(messages("na\"me\nA")[0].hasPrefix("error: the header has a quote in a field"))
    }
}
