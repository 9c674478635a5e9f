import JSON
import Testing

@testable import NovaBlendCommand

@Suite("What a terminal is shown")
struct TerminalTextTests {
    @Test(
        "has nothing in it that moves the cursor, colours, or turns the direction",
        arguments: [
            ("\u{1B}[31mred\u{1B}[0m", "\u{FFFD}[31mred\u{FFFD}[0m"), ("a\nb\tc\rd", "a b c d"),
            ("a\u{9B}2Jb", "a\u{FFFD}2Jb"), ("a\u{7F}\u{8}b", "a\u{FFFD}\u{FFFD}b"),
            ("x\u{202E}y", "x\u{FFFD}y"), ("a\r\nb", "a  b"), ("Æther & Øl 💈", "Æther & Øl 💈"),
            ("a\u{2028}b", "a b"),
        ]
    )
    func safe(text: String, shown: String) {
        #expect(SafeText.line(text) == shown)
    }

    @Test("keeps the line ends of what has several lines")
    func lines() { #expect(SafeText.lines("a\u{1B}\r\nb\nc") == "a\u{FFFD}\nb\nc") }

    @Test("as JSON means the same, without a control character")
    func json() {
        let bytes = Array("[\"a\u{9B}\u{7F}é\u{A0}\"]".utf8)
        let safe = String(decoding: SafeText.json(bytes), as: UTF8.self)
        #expect(safe == "[\"a\\u009b\\u007fé\u{A0}\"]")
        for bytes in [[0xC2], [0xD8], [0xE2], [0xE2, 0x80], [0x41, 0xE2, 0x80]] as [[UInt8]] {
            #expect(SafeText.json(bytes) == bytes)
        }
    }

    @Test(
        "as JSON has every character escaped that changes the direction of text, and no neighbor",
        arguments: [
            0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x7F...0x9F,
        ] as [ClosedRange<UInt32>]
    )
    func directions(range: ClosedRange<UInt32>) throws {
        for value in (range.lowerBound - 1)...(range.upperBound + 1) {
            let scalar = try #require(Unicode.Scalar(value))
            let bytes = Array("[\"a\(Character(scalar))b\"]".utf8)
            let safe = SafeText.json(bytes)
            let document = try JSONDocument(parsing: safe)
            let text = try document.root.array().first { _ in true }?.string()
            #expect(text.map { Array($0.unicodeScalars) } == ["a", scalar, "b"])
            #expect((safe != bytes) == range.contains(value), "U+\(String(value, radix: 16))")
        }
    }

    private var table: TextTable {
        var table = TextTable([.init("NAME", isFlexible: true), .init("ID"), .init("LAST")])
        table.add(["日本語の美容室", "1", "x"])
        table.add(["e\u{301}t\u{1B}e\u{301}", "22", nil])
        return table
    }

    @Test("stands in columns, whatever its characters")
    func columns() {
        #expect(
            table.lines(width: nil) == [
                "NAME            ID  LAST", "日本語の美容室  1   x",
                "e\u{301}t\u{FFFD}e\u{301}            22",
            ]
        )
    }

    @Test("is cut where it may be, and never wider than the terminal", arguments: 1...30)
    func width(columns: Int) {
        let lines = table.lines(width: columns)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
        if columns == 20 { #expect(lines[1] == "日本語の…   1   x") }
        if columns >= 24 { #expect(lines == table.lines(width: nil)) }
    }
}
