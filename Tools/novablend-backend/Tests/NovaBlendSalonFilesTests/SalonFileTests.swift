import Contract
import Domain
import DomainTestSupport
import JSON
import Testing

@testable import NovaBlendSalonFiles

@Suite("A file of salons")
struct SalonFileTests {
    private let salons = [
        Salon(
            id: SalonID(high: 1, low: 2),
            name: "Größe, \"Æ\"",
            location: "Line 1\nLine 2",
            phone: "+49 30 1",
            hours: OpeningHours(
                opens: TimeOfDay(minuteOfDay: 570),
                closes: TimeOfDay(minuteOfDay: 0)
            ),
            slotMinutes: 45,
            timeZone: ZoneID("Europe/Berlin"),
            exceptions: SampleSalon.salon.exceptions.enumerated().map { index, exception in
                OpeningException(
                    date: CalendarDate(daysSince1970: 20_000 + index),
                    hours: exception.hours
                )
            },
            leadMinutes: 60,
            furthestDays: 90,
            customerLimits: CustomerLimits(active: 3, perDay: 5),
            weekly: WeeklyHours([
                .monday: [
                    OpeningHours(opens: Self.time(9, 30), closes: Self.time(12, 30)),
                    OpeningHours(opens: Self.time(14, 0), closes: Self.time(18, 0)),
                ],
                .saturday: [OpeningHours(opens: Self.time(20, 0), closes: Self.time(0, 0))],
            ]),
            services: [
                Service(
                    id: "cut",
                    name: "Cut, short",
                    minutes: 45,
                    price: Price(amount: 4_500, currency: "EUR")
                )
            ],
            staff: [StaffMember(id: "ana", name: "Ana", weekly: SampleSalon.salon.weekly)],
            seats: 2
        ),
        Salon(
            id: SalonID(high: 1, low: 3),
            name: " Plain ",
            location: "x",
            hours: OpeningHours(
                opens: TimeOfDay(minuteOfDay: 0),
                closes: TimeOfDay(minuteOfDay: 1_435)
            ),
            weekly: WeeklyHours()
        ),
    ]

    private static func time(_ hour: Int, _ minute: Int) -> TimeOfDay {
        TimeOfDay(minuteOfDay: hour * 60 + minute)
    }

    private func csv(_ salons: [Salon]) throws -> [UInt8] {
        try salons.reduce(SalonCSVWriter.header) { try $0 + SalonCSVWriter.line($1) }
    }

    @Test("is read as it was written, as JSON and as CSV, with and without a byte order mark")
    func roundTrip() throws {
        let closed = "cannot be booked: it is never open"
        for bytes in [SalonListCodec.encode(salons), try csv(salons)] {
            for mark in [[], CSVRecords.byteOrderMark] {
                let file = salonFile(mark + bytes)
                #expect(file.isValid && file.problems.map(\.message) == [closed])
                #expect(file.entries.map(\.salon) == salons)
                #expect(file.entries.map(\.path) == ["salons[0]", "salons[1]"])
                #expect(file.entries.map(\.hasID) == [true, true])
            }
        }
    }

    @Test(
        "has no cells in CSV that a spreadsheet would calculate, and is read as it was written",
        arguments: [
            "=1+1", "+49 30 1", "-2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=\"a\",b", "'=1",
            "''=1", "'+", "'", "''", "'a", "'quoted'", "a=1", " =1", "=", "|x", "Ω", "＝1", "'＝1",
            "030", "'030", "''030", "4930123456789012", "4.93E+11", "1/2", "12:30", "1", "#REF!",
            "'#N/A", "#HAIR!", "###", "12 Rue", " 1", "1\u{A0}000",
        ]
    )
    func formulas(text: String) throws {
        var salon = salons[0]
        (salon.name, salon.location, salon.phone) = (text, text, text)
        let bytes = try csv([salon])
        #expect(salonFile(bytes).entries.map(\.salon) == [salon])
        for record in CSVRecords(bytes[...]) {
            for cell in record.fields {
                let first = cell.unicodeScalars.first
                #expect(first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } != true)
            }
        }
    }

    @Test("may have phone numbers in CSV as people and spreadsheets write them")
    func phones() {
        let header = "name,location,open_time,close_time,phone\n"
        for (cell, phone) in [
            ("+49 30 1", "+49 30 1"), ("'+49 30 1", "+49 30 1"), ("'030", "030"),
            ("030 1", "030 1"),
            ("''030", "'030"),
        ] {
            let file = salonFile(header + "A,B,9:00,10:00,\(cell)\n")
            #expect(file.isValid && file.entries.map(\.salon.phone) == [phone])
        }
    }

    @Test("may have aliases in CSV that are separated by semicolons, or a list in JSON")
    func aliases() throws {
        let header = "name,location,open_time,close_time,aliases\n"
        for (cell, aliases) in [
            ("Copenhagen", ["Copenhagen"]),
            (" Copenhagen ;; Kopenhagen;", ["Copenhagen", "Kopenhagen"]),
            (#""[""a;b"", ""c""]""#, ["a;b", "c"]), ("", []),
        ] {
            let file = salonFile(header + "A,B,9:00,10:00,\(cell)\n")
            #expect(file.isValid && file.entries.map(\.salon.aliases) == [aliases], "\(cell)")
        }
        for aliases in [
            ["Copenhagen", "Kopenhagen"], ["a;b", "c"], ["[x", "y"], ["030"], ["x\ny"],
        ] {
            var salon = salons[0]
            salon.aliases = aliases
            let file = salonFile(String(decoding: try csv([salon]), as: UTF8.self))
            #expect(file.entries.map(\.salon.aliases) == [aliases])
        }
        let invalid = salonFile(header + "A,B,9:00,10:00,\(String(repeating: "x", count: 101))\n")
        #expect(!invalid.isValid)
    }

    @Test("shows times and exceptions in a readable form in CSV")
    func readable() throws {
        var salon = salons[0]
        salon.staff = []
        let text = String(decoding: try csv([salon, salons[1]]), as: UTF8.self)
        #expect(
            text == """
                \u{FEFF}id,name,location,aliases,phone,open_time,close_time,slot_minutes,time_zone,exceptions,\
                lead_minutes,furthest_days,max_active_per_customer,max_per_day_per_customer,weekly,services,staff,seats\r
                00000000-0000-0001-0000-000000000002,"Größe, ""Æ""\","Line 1\nLine 2",,'+49 30 1,\
                09:30,00:00,45,Europe/Berlin,2024-10-04 closed; 2024-10-05 09:00-18:00; \
                2024-10-06 09:00-12:00 13:00-18:00,60,90,3,5,\
                mon 09:30-12:30 14:00-18:00; sat 20:00-00:00,\
                "[{""id"":""cut"",""name"":""Cut, short"",""minutes"":45,\
                ""price"":{""amount"":4500,""currency"":""EUR""}}]",,2\r
                00000000-0000-0001-0000-000000000003, Plain ,x,,,00:00,23:55,,,,,,,,closed,,,\r\n
                """
        )
    }

    @Test(
        "may have times in several forms in CSV",
        arguments: [
            ("9:30 AM", 570), ("9:30am", 570), ("09:30:00 AM", 570), ("9:30\u{202F}a.m.", 570),
            ("12:00 AM", 0), ("12:30 AM", 30), ("12:00 PM", 720), ("11:55 p.m.", 1_435),
            ("9 AM", 540),
            ("09:30", 570), ("9:30", 570), ("09:30:00", 570), ("9.30", 570), ("9.3", 570),
            (" 9:30 ", 570), ("0:00", 0), ("23:55", 1_435), ("9", 540), ("09.30", 570),
        ]
    )
    func times(cell: String, minutes: Int) {
        let file = salonFile("name,location,open_time,close_time\nA,B,\(cell),10:00\n")
        #expect(file.problems.isEmpty, "\(file.problems)")
        #expect(file.entries.first?.salon.hours.opens == TimeOfDay(minuteOfDay: minutes))
    }

    @Test(
        "may have hours in several forms in CSV",
        arguments: [
            ("mon 9:00-12:00 13.30-18", "mon 09:00-12:00 13:30-18:00"),
            (" Mon  09:00 - 12:00; mon 13:00-24:00;; ", "mon 09:00-12:00 13:00-00:00"),
            ("sun 20:00-4:00\ntue closed;", "sun 20:00-04:00"), ("closed", "closed"),
            ("sun closed", "closed"), ("Closed", "closed"),
            ("mon 9:00 AM - 12:30 PM 2 PM-6 p.m.", "mon 09:00-12:30 14:00-18:00"),
            ("mon 09:00\u{2013}12:00 13:00 \u{2014} 18:00", "mon 09:00-12:00 13:00-18:00"),
        ]
    )
    func weekly(cell: String, expected: String) throws {
        let file = salonFile(
            "name,location,open_time,close_time,weekly\nA,B,9:00,10:00,\"\(cell)\"\n"
        )
        #expect(file.isValid, "\(file.problems)")
        let salon = try #require(file.entries.first?.salon)
        let line = String(decoding: try SalonCSVWriter.line(salon), as: UTF8.self)
        #expect(line.hasSuffix(",\(expected),,,\r\n"), "\(line)")
    }

    @Test(
        "may have exceptions for ranges of days in several forms in CSV",
        arguments: [
            ("2026-12-21..2027-01-06 closed", "2026-12-21..2027-01-06 closed"),
            ("2026-12-21/2027-01-06 closed", "2026-12-21..2027-01-06 closed"),
            ("2026-12-21 to 2027-01-06", "2026-12-21..2027-01-06 "),
            ("2026-12-21 - 2027-01-06 Closed", "2026-12-21..2027-01-06 closed"),
            ("2026-12-21\u{2013}2027-01-06 9:00-12:00", "2026-12-21..2027-01-06 09:00-12:00"),
            ("2026-12-21..2026-12-21 closed", "2026-12-21 closed"),
            (
                "2026-12-21..2026-12-24 10 AM-1 PM 14:00-18:00; 2026-12-25 closed",
                "2026-12-21..2026-12-24 10:00-13:00 14:00-18:00; 2026-12-25 closed"
            ),
        ]
    )
    func ranges(cell: String, expected: String) throws {
        let header = "name,location,open_time,close_time,exceptions\n"
        let file = salonFile(header + "A,B,9:00,10:00,\"\(cell)\"\n")
        // A range without hours is incomplete.
        guard !expected.hasSuffix(" ") else { return #expect(!file.isValid) }
        #expect(file.isValid, "\(file.problems)")
        let salon = try #require(file.entries.first?.salon)
        let line = String(decoding: try SalonCSVWriter.line(salon), as: UTF8.self)
        #expect(line.contains(",\(expected),"), "\(line)")
    }

    @Test("may have salons without ids, columns in any order, and empty cells")
    func withoutIDs() {
        let file = salonFile(
            "close_time,phone,name,location,open_time,id,exceptions\r\n"
                + "10:00,,A,B,9:00,,\r\n,,,,,,\r\n"
                + "10:00,1,C,D,9:00,\(salons[0].id), 2026-12-25  closed ;;\r\n"
        )
        #expect(file.problems.isEmpty && file.entries.map(\.hasID) == [false, true])
        #expect(file.entries.map(\.salon.phone) == [nil, "1"])
        #expect(file.entries.map(\.salon.exceptions.count) == [0, 1])
        let json = salonFile(
            #"{"salons":[{"name":"A","location":"B","open_time":9,"close_time":10}]}"#
        )
        #expect(json.problems.isEmpty && json.entries.map(\.hasID) == [false])
    }

    @Test("that has no salons is an error")
    func empty() {
        #expect(messages("") == ["error: the file is empty"])
        #expect(messages("\u{FEFF}\n") == ["error: the file is empty"])
        #expect(messages(#"{"salons":[]}"#) == ["error: the file has no salons"])
        let header = "name,location,open_time,close_time"
        #expect(messages(header + "\n") == ["error: the file has no salons"])
        let warned = salonFile(header + ",x\n,,,,\n")
        #expect(!warned.isValid && warned.problems.count == 2)
    }

    @Test("is checked with the members that the codec knows, all of which the sample has")
    func sample() {
        for child in Mirror(reflecting: SampleSalon.salon).children {
            #expect("\(child.value)" != "nil" && "\(child.value)" != "[]", "\(child.label ?? "")")
        }
        #expect(SalonColumn.requiredNames == ["name", "location", "open_time", "close_time"])
        let salon = try? SalonCodec.decode(SalonCodec.encode(SampleSalon.salon))
        #expect(salon == SampleSalon.salon)
    }
}

/// Reads a file. The only time zone is Europe/Berlin.
func salonFile(_ bytes: [UInt8]) -> SalonFile {
    let rules = ZoneRules(firstOffsetSeconds: 3_600, transitions: [], tail: nil)
    var zones: [ZoneID: ZoneRules] = [:]
    if let berlin = ZoneID("Europe/Berlin") { zones[berlin] = rules }
    // October 4, 2024
    return SalonFile(
        bytes,
        zones: ZonesStub(zones),
        today: CalendarDate(daysSince1970: 20_000)
    )
}

func salonFile(_ text: String) -> SalonFile { salonFile(Array(text.utf8)) }

func messages(_ text: String) -> [String] { salonFile(text).problems.map(\.description) }
