import Contract
import Domain
import Testing

@Suite("An exception for a range of days")
struct ExceptionRangeTests {
    private func read(_ text: String) throws -> OpeningException {
        try OpeningExceptionCodec.decode(Array(text.utf8))
    }

    @Test(
        "is read and written with its first and last day; one day has a date",
        arguments: [
            (#"{"from":"2026-12-21","to":"2027-01-06","closed":true}"#, nil),
            (#"{"from":"2026-12-21","to":"2026-12-22","open_time":9.00,"close_time":12.30}"#, nil),
            (
                #"{"from":"2026-12-21","to":"2026-12-22","intervals":[["09:00","12:00"],"#
                    + #"["13:00","18:00"]],"open_time":9.00,"close_time":18.00}"#,
                nil
            ),
            (#"{"date":"2026-12-24","closed":true}"#, nil),
            (
                #"{"from":"2026-12-24","to":"2026-12-24","closed":true}"#,
                #"{"date":"2026-12-24","closed":true}"#
            ),
            (
                #"{"date":null,"from":"2024-02-28","to":"2024-03-01","closed":true}"#,
                #"{"from":"2024-02-28","to":"2024-03-01","closed":true}"#
            ),
        ] as [(String, String?)]
    )
    func forms(text: String, written: String?) throws {
        let bytes = OpeningExceptionCodec.encode(try read(text))
        #expect(String(decoding: bytes, as: UTF8.self) == written ?? text)
    }

    @Test("applies on each of its days, and the first of several that include a day applies")
    func days() throws {
        let range = try read(#"{"from":"2026-12-30","to":"2027-01-02","closed":true}"#)
        let first = try #require(CalendarDate(year: 2026, month: 12, day: 29))
        let days = (0..<6).map { first.advanced(byDays: $0) }
        let hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 540),
            closes: TimeOfDay(minuteOfDay: 600)
        )
        var salon = Salon(id: SalonID(high: 0, low: 1), name: "A", location: "B", hours: hours)
        salon.exceptions = [range]
        #expect(days.map { salon.hours(on: $0).count } == [1, 0, 0, 0, 0, 1])
        salon.exceptions.insert(OpeningException(date: days[2], hours: [hours]), at: 0)
        #expect(days.map { salon.hours(on: $0).count } == [1, 0, 1, 0, 0, 1])
        let member = StaffMember(id: "a", name: "A", exceptions: [range])
        #expect(days.map { member.hours(on: $0)?.count } == [nil, 0, 0, 0, 0, nil])
    }

    @Test(
        "is rejected with the path of an invalid value",
        arguments: [
            (#"{"from":"2026-12-21","closed":true}"#, "to must be present"),
            (#"{"to":"2026-12-21","closed":true}"#, "from must be present"),
            (#"{"closed":true}"#, "date must be present"),
            (
                #"{"from":"2026-12-21","to":"2026-12-20","closed":true}"#,
                "to must be a date that is not before from, which is 2026-12-21"
            ),
            (
                #"{"date":"2026-12-21","from":"2026-12-21","to":"2026-12-22","closed":true}"#,
                "from must be absent, because there is a date"
            ),
            (
                #"{"from":"2026-02-30","to":"2026-12-22","closed":true}"#,
                "from must be a date like 2026-12-24"
            ),
            (#"{"from":"2026-12-21","to":"2026-12-22"}"#, "open_time must be present"),
        ]
    )
    func invalid(text: String, problem: String) {
        #expect {
            try read(text)
        } throws: {
            "\($0)" == problem
        }
    }

    private func problems(_ exceptions: String, ofStaff: Bool) throws -> [String] {
        let list = #""exceptions": [\#(exceptions)]"#
        let staff = #""staff": [{"id": "a", "name": "n", \#(list)}]"#
        let text = """
            {"id": "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01", "name": "n", "location": "l",
             "open_time": 9, "close_time": 18, \(ofStaff ? staff : list)}
            """
        let salon = try SalonCodec.decode(Array(text.utf8))
        return SalonRules.problems(of: salon).map { "\($0.path) \($0.reason)" }
    }

    @Test(
        "that overlaps another or is longer than two years is against the rules of the backend",
        arguments: [(false, ""), (true, "staff[0].")]
    )
    func rules(ofStaff: Bool, prefix: String) throws {
        func range(_ from: String, _ to: String) -> String {
            #"{"from": "\#(from)", "to": "\#(to)", "closed": true}"#
        }
        let adjacent = range("2026-12-21", "2027-01-06") + "," + range("2027-01-07", "2029-01-06")
        #expect(try problems(adjacent, ofStaff: ofStaff) == [])
        let long = try problems(range("2027-01-07", "2029-01-07"), ofStaff: ofStaff)
        #expect(long == ["\(prefix)exceptions[0].to must be at most 730 days after from"])
        let overlapping = [
            range("2027-01-05", "2027-01-09"), range("2026-12-21", "2027-01-30"),
            #"{"date": "2027-01-10", "closed": true}"#, range("2027-01-30", "2027-02-01"),
            #"{"date": "2027-02-01", "closed": true}"#,
        ].joined(separator: ",")
        #expect(
            try problems(overlapping, ofStaff: ofStaff) == [
                "\(prefix)exceptions[0].from must not be a day of \(prefix)exceptions[1], too",
                "\(prefix)exceptions[2].date must not be a day of \(prefix)exceptions[1], too",
                "\(prefix)exceptions[3].from must not be a day of \(prefix)exceptions[1], too",
                "\(prefix)exceptions[4].date must not be a day of \(prefix)exceptions[3], too",
            ]
        )
    }

    @Test("keeps 40 people with 60 days off each far below the maximum size of a salon")
    func size() throws {
        let first = CalendarDate(daysSince1970: 20_000)
        let days = (0..<60).map {
            OpeningException(date: first.advanced(byDays: 2 * $0), hours: [])
        }
        var salon = Salon(
            id: SalonID(high: 0, low: 1),
            name: "A",
            location: "B",
            hours: OpeningHours(
                opens: TimeOfDay(minuteOfDay: 540),
                closes: TimeOfDay(minuteOfDay: 1_080)
            )
        )
        salon.staff = (0..<40).map { StaffMember(id: "\($0)", name: "N", exceptions: days) }
        #expect(SalonRules.problems(of: salon) == [])
        let bytes = SalonCodec.encode(salon).count
        #expect(bytes > 64 << 10 && bytes < SalonRules.maximumBytes)
        salon.location += String(repeating: "x", count: SalonRules.maximumBytes - bytes)
        #expect(SalonRules.problems(of: salon) == [])
        salon.location += "x"
        let found = SalonRules.problems(of: salon).map { "\($0.path)|\($0.reason)" }
        #expect(found == ["|must be at most 262144 bytes of JSON, but has 262145"])
    }
}
