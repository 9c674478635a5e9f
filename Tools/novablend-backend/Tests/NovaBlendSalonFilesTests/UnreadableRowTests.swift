import Domain
import DomainTestSupport
import Testing

@testable import NovaBlendSalonFiles

@Suite("A row of which anything could not be read")
struct UnreadableRowTests {
    private let header = "name,location,open_time,close_time\n"
    private let good = "A,B,9:00,10:00\n"

    private func found(_ bytes: [UInt8]) -> [String] {
        salonFile(bytes).problems.map(\.description)
    }

    /// The text in Windows-1252, in which these letters are single bytes.
    private func latin(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    @Test("because it is in Windows-1252 is reported, also if its first cell is not UTF-8")
    func windows1252() {
        let rows = "K\u{F6}ln,B,9:00,10:00\n\u{E9},,,\nC,M\u{FC}nchen,9:00,10:00\n"
        let file = salonFile(latin(header + rows + good))
        #expect(
            file.problems.map(\.description) == [
                "error: the file is not UTF-8, but probably Windows-1252 (ANSI); save it as "
                    + "\"CSV UTF-8\", or choose \"Unicode (UTF-8)\" as the character set",
                "error: salons[0] is not UTF-8 (line 2)", "error: salons[1] is not UTF-8 (line 3)",
                "error: salons[2] is not UTF-8 (line 4)",
            ]
        )
        #expect(file.salonCount == 4 && file.entries.map(\.salon.name) == ["A"])
    }

    @Test("in a header, or between lines in UTF-8, is reported")
    func mixed() {
        #expect(
            found(latin("name,location,open_time,close_time,\u{D6}\n" + "\u{E9},,,,\n")).filter {
                $0.hasPrefix("error: the header") || $0.hasPrefix("error: salons")
            } == [
                "error: the header is not UTF-8 (line 1)", "error: salons[0] is not UTF-8 (line 2)",
            ]
        )
        let mixed = Array((header + "Köln,B,9:00,10:00\n").utf8) + latin("M\u{FC},B,9:00,10:00\n")
        #expect(
            found(mixed) == [
                "error: some lines of the file are UTF-8, and others probably Windows-1252 (ANSI); "
                    + "correct the lines below, and save the file in UTF-8",
                "error: salons[1] is not UTF-8 (line 3)",
            ]
        )
        let other = Array(header.utf8) + [0x81, 0x8D] + Array(",B,9:00,10:00\n".utf8)
        #expect(found(other)[0].hasPrefix("error: the file is not UTF-8; save it as"))
        let json = latin("{\"salons\":[{\"name\":\"K\u{F6}ln\"}]}")
        #expect(found(json)[0].contains("probably Windows-1252") && !salonFile(json).isValid)
    }

    @Test("because the file is UTF-16 or UTF-32 is reported, with and without a byte order mark")
    func wide() {
        let text = header + "Köln,B,9:00,10:00\n"
        let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let longest = text.unicodeScalars.flatMap { [UInt8($0.value & 0xFF), 0, 0, 0] }
        for bytes in [
            [0xFF, 0xFE] + little, little, [0xFE, 0xFF] + big, big, longest,
            [0xFF, 0xFE, 0, 0] + longest, [0xFF, 0xFE] + Array("{}".utf16.map { UInt8($0) }),
        ] {
            let found = found(bytes)
            #expect(found.count == 1)
            #expect(found[0].hasPrefix("error: the file is UTF-16 or UTF-32, of which nothing was"))
        }
    }

    @Test(
        "because of its bytes, quotes, or number of cells is reported with its line",
        arguments: [
            ("C\0,D,9:00,10:00\n", "salons[1] contains a NUL character (line 3)"),
            ("\0\n", "salons[1] contains a NUL character (line 3)"),
            (
                "\"C,D,9:00,10:00\nE,F,9:00,10:00\n",
                "salons[1] has a quote in line 3 that is not closed; so the text up to line 4 could "
                    + "not be read (line 3)"
            ),
            (
                "\"C,D,9:00,10:00\n\"E\",F,9:00,10:00\n",
                "salons[1] has text after a closing quote, in line 4; write a quote as \"\" (line 3)"
            ),
            (
                "C,\"D,9:00,10:00\nE,F\",9:00,10:00\n",
                "salons[1] has a cell that contains the rest of the line and the beginning of line "
                    + "4; a quote is probably missing (line 3)"
            ),
            (
                "C,D,9:00,\"10:00\nE\",\"F\n,\",9:00\n",
                "salons[1] has 6 fields, but the header has 4, and ends in line 5 (line 3)"
            ),
            ("C\n", "salons[1] has 1 field, but the header has 4 (line 3)"),
            ("C,D,9:00\n", "salons[1] has 3 fields, but the header has 4 (line 3)"),
            (",,,,x\n", "salons[1] has 5 fields, but the header has 4 (line 3)"),
            ("C,D,9:00\rE,F,9:00,10:00\n", "salons[1] has 3 fields, but the header has 4 (line 3)"),
        ]
    )
    func structure(row: String, problem: String) {
        let problems = messages(header + good + row)
        #expect(problems == ["error: \(problem)"])
    }

    @Test("because a spreadsheet calculated it is reported with its column")
    func formulaErrors() {
        for error in ["#REF!", "#N/A", "#name?", "#DIV/0!", "#BEZUG!", "#NOM?", "Err:502", "####"] {
            #expect(
                messages(header + "A,\(error),9:00,10:00\n") == [
                    "error: salons[0].location is the error of a formula (line 2, column location)"
                ]
            )
        }
        #expect(
            messages(header + "A,B,#VALUE!,10:00\n") == [
                "error: salons[0].open_time is the error of a formula (line 2, column open_time)"
            ]
        )
        #expect(messages(header + "#HAIR!,# 1,9:00,10:00\n").isEmpty)
    }

    @Test("is not a text with line breaks and separators that look like no row")
    func lineBreaks() {
        for cell in [
            "\"1, a, b\nc, d\"", "\"Line 1\nLine 2\"", "\"1,2,3\n4,5\"", "\",,\n,\"", "\"\na,,\"",
        ] { #expect(messages(header + "A,\(cell),9:00,10:00\n").isEmpty, "\(cell)") }
    }

    @Test("in a column without a name, as merged cells leave it, is reported; blank ones are not")
    func unnamedColumns() {
        let merged = "name,location,Opening hours,,open_time,close_time,,\n"
        #expect(
            messages(merged + "A,B,,,9:00,10:00,,\nC,D,,x,9:00,10:00,,\nE,F,,,9:00,10:00,y,\n") == [
                "warning: the column is not known and will be ignored (line 1, column Opening hours)",
                "error: salons[1] has text in column 4, which has no name in the header (line 3)",
                "error: salons[2] has 8 fields, but the header has 6 (line 4)",
            ]
        )
        #expect(messages("name,location,open_time,close_time,,\nA,B,9:00,10:00,,\n").isEmpty)
        #expect(messages(header + "A,B,9:00,10:00,,,\n").isEmpty)
        #expect(
            messages("Our salons,,,\n" + header + good)[0]
                == "error: the header lacks a column (line 1, column name)"
        )
    }

    @Test("is missing in a file that has as many lines as a spreadsheet")
    func longest() {
        for (limit, isLongest) in [(3, true), (4, false)] {
            var list = SalonList(
                zones: ZonesStub([:]),
                today: CalendarDate(daysSince1970: 20_000)
            )
            let text = Array((header + ",,,\n" + good).utf8)
            list.readCSV(text[...], spreadsheetLines: limit)
            let message =
                "error: the file has 3 lines, the most that a spreadsheet can have, so "
                + "lines after them were probably lost"
            #expect(list.problems.map(\.description) == (isLongest ? [message] : []))
        }
    }

    @Test("is a file without salons")
    func empty() {
        #expect(messages(",,,\n") == ["error: the file is empty"])
        #expect(messages("sep=;\n") == ["error: the file is empty"])
        #expect(messages("\n,,,\n" + header + ",,,\n") == ["error: the file has no salons"])
    }
}
