import CommandLineKit
import Testing

@Suite("Table")
struct TextTableTests {
    private var table: TextTable {
        var table = TextTable([.init("NAME", isFlexible: true), .init("ID"), .init("LAST")])
        table.add(["日本語の美容室", "1", "x"])
        table.add(["e\u{301}t\u{1B}e\u{301}", "22", nil])
        return table
    }

    @Test("Columns are aligned, even with wide and combining characters")
    func columns() {
        #expect(
            table.lines(width: nil) == [
                "NAME            ID  LAST", "日本語の美容室  1   x",
                "e\u{301}t\u{FFFD}e\u{301}            22",
            ]
        )
    }

    @Test("Lines are truncated as a whole if no column is flexible")
    func fixedColumns() {
        var table = TextTable([.init("A"), .init("B")])
        table.add([String(repeating: "a", count: 20), "b"])
        #expect(table.lines(width: 12)[1] == "aaaaaaaaaaa…")
    }

    @Test(
        "Flexible columns are truncated, and no line is wider than the terminal",
        arguments: 1...30
    )
    func width(columns: Int) {
        let lines = table.lines(width: columns)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
        if columns == 20 { #expect(lines[1] == "日本語の…   1   x") }
        // The flexible column is at least 8 wide.
        if columns == 17 { #expect(lines[1] == table.lines(width: 18)[1]) }
        if columns >= 24 { #expect(lines == table.lines(width: nil)) }
    }

    @Test("An optional column without any text is omitted")
    func optionalColumns() {
        var table = TextTable([.init("A"), .init("B", isOptional: true), .init("C")])
        table.add(["a", nil, "c"])
        #expect(table.lines(width: nil) == ["A  C", "a  c"])
        table.add(["a", "b"])
        #expect(table.lines(width: nil) == ["A  B  C", "a     c", "a  b"])
    }

    @Test("A heading follows an empty line and does not widen a column, but is truncated")
    func headings() {
        var table = TextTable([.init("A"), .init("B")])
        table.addHeading("Heading\u{1B}")
        table.add(["a", "b"])
        #expect(table.lines(width: nil) == ["A  B", "", "Heading\u{FFFD}", "a  b"])
        #expect(table.lines(width: 4) == ["A  B", "", "Hea…", "a  b"])
    }

    @Test("A style has escape sequences around the line only where color is allowed")
    func styles() {
        var table = TextTable([.init("A"), .init("B", isFlexible: true)])
        table.add(["a", "0123456789"], style: .green)
        table.add(["a", "b"])
        #expect(table.lines(width: nil).joined().contains("\u{1B}") == false)
        #expect(
            table.lines(width: 11, isColored: true) == [
                "A  B", "\u{1B}[32ma  0123456…\u{1B}[0m", "a  b",
            ]
        )
    }

    @Test("The minimum width is the first at which no line is truncated as a whole")
    func minimumWidth() {
        var table = TextTable([.init("A"), .init("B", isFlexible: true)])
        table.add(["aaa", "0123456789"])
        #expect(table.minimumWidth == 13)
        #expect(table.lines(width: 13)[1] == "aaa  0123456…")
    }
}
