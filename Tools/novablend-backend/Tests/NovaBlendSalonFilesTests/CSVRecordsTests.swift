import Testing

@testable import NovaBlendSalonFiles

@Suite("Records of a CSV file")
struct CSVRecordsTests {
    private func records(_ text: String) -> [CSVRecords.Record] {
        Array(CSVRecords(Array(text.utf8)[...]))
    }

    @Test(
        "are split at commas and line ends, and quotes are removed (RFC 4180)",
        arguments: [
            ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]), ("a\r\r\nb\rc", [["a"], ["b"], ["c"]]),
            ("\"a\rb\"\rc", [["a\rb"], ["c"]]),
            ("a,,\n,\n", [["a", "", ""], ["", ""]]),
            ("\n\r\n a \n\n", [[" a "]]),
            (#""a,b","c ""d"" e","""","""# + "\n", [["a,b", "c \"d\" e", "\"", ""]]),
            ("\"a\nb\r\nc\",d", [["a\nb\r\nc", "d"]]),
            ("\"\",x", [["", "x"]]),
            ("ä,😀", [["ä", "😀"]]),
            ("a", [["a"]]), ("", []), ("\n\n", []),
        ] as [(String, [[String]])]
    )
    func fields(text: String, fields: [[String]]) {
        #expect(records(text).map(\.fields) == fields)
        #expect(records(text).allSatisfy { $0.problem == nil })
    }

    @Test("have the line on which they begin")
    func lines() {
        let text = "a\n\n\"b\n\nb\",c\r\nd\n\n\ne"
        #expect(records(text).map(\.line) == [1, 3, 6, 9])
        #expect(records(text).map(\.lastLine) == [1, 5, 6, 9])
        #expect(records("a\rb\r\n\rc\n\"\rd").map(\.line) == [1, 2, 4, 5])
    }

    @Test(
        "with wrong quotes are reported, and the records after them are still read",
        arguments: [
            ("a\"b,c\nd,e", "in a field without quotes", ["d", "e"]),
            ("\"a\"b,c\nd,e", "after a closing quote", ["d", "e"]),
            ("\"a\" ,c\nd,e", "after a closing quote", ["d", "e"]),
            ("a,\"b\nd,e", "not closed", nil),
            ("\"", "not closed", nil),
        ] as [(String, String, [String]?)]
    )
    func quotes(text: String, problem: String, next: [String]?) {
        let records = records(text)
        #expect(records.first?.problem?.contains(problem) == true)
        #expect(records.count == (next == nil ? 1 : 2))
        if let next { #expect(records.last?.fields == next && records.last?.problem == nil) }
    }

    @Test(
        "without text are blank, but not if anything of them could not be read",
        arguments: [
            (Array(",\t, \u{A0},\u{202F}".utf8), true), (Array("\"\n\",".utf8), true),
            ([0xFC, 0x2C], false), ([0x2C, 0x00], false), (Array("\"".utf8), false),
            (Array(",\"\"x".utf8), false), (Array(",\"".utf8), false), ([0x2C, 0xA0], false),
        ] as [([UInt8], Bool)]
    )
    func blank(bytes: [UInt8], isBlank: Bool) {
        #expect(CSVRecords(bytes[...]).map(\.isBlank) == [isBlank])
    }

    @Test("that are not UTF-8 are reported, and the records after them are still read")
    func encoding() {
        let records = Array(CSVRecords([0x61, 0xFC, 0x2C, 0x62, 0x0A, 0x63]))
        #expect(records.map(\.line) == [1, 2])
        #expect(records[0].problem?.contains("UTF-8") == true && records[1].fields == ["c"])
    }
}
