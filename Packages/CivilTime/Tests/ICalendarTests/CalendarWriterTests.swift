import CivilTime
import Testing

@testable import ICalendar

@Suite("A calendar")
struct CalendarWriterTests {
    private let event = CalendarEvent(
        uid: "a@b",
        stamp: Timestamp(secondsSince1970: 1_729_425_600),
        start: Timestamp(secondsSince1970: 1_729_429_200),
        end: Timestamp(secondsSince1970: 1_729_431_000),
        summary: "Scherenschnitt",
        location: "Torstraße 12, Berlin",
        description: "short; please",
        sequence: 2
    )

    private func text(_ events: [CalendarEvent]) -> String {
        String(
            decoding: CalendarWriter.write(events, productID: "-//Example//Bookings 1.2//EN"),
            as: UTF8.self
        )
    }

    private func unfolded(_ text: String) -> [String] {
        text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    }

    @Test("has the lines that RFC 5545 requires for an event")
    func lines() {
        let expected = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Example//Bookings 1.2//EN
            BEGIN:VEVENT
            UID:a@b
            DTSTAMP:20241020T120000Z
            DTSTART:20241020T130000Z
            DTEND:20241020T133000Z
            SUMMARY:Scherenschnitt
            LOCATION:Torstraße 12\\, Berlin
            DESCRIPTION:short\\; please
            STATUS:CONFIRMED
            SEQUENCE:2
            END:VEVENT
            END:VCALENDAR

            """
        #expect(text([event]) == expected.replacing("\n", with: "\r\n"))
    }

    @Test(
        "has an alarm before an event with a reminder",
        arguments: [
            (30, "-PT30M"), (60, "-PT1H"), (90, "-PT1H30M"), (1_440, "-P1D"), (1_530, "-P1DT1H30M"),
            (0, "-PT0M"), (Int.min, "-PT0M"), (.max, "-P365D"),
        ]
    )
    func alarm(minutes: Int, trigger: String) {
        var reminding = event
        reminding.reminderMinutes = minutes
        let expected = [
            "SEQUENCE:2", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Scherenschnitt",
            "TRIGGER:\(trigger)", "END:VALARM", "END:VEVENT", "END:VCALENDAR",
        ]
        #expect(unfolded(text([reminding])).suffix(8) == expected[...])
        #expect(!text([event]).contains("VALARM"))
    }

    @Test("has the time zone UTC if it has no events")
    func empty() {
        let expected = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Example//Bookings 1.2//EN
            BEGIN:VTIMEZONE
            TZID:UTC
            BEGIN:STANDARD
            DTSTART:19700101T000000
            TZOFFSETFROM:+0000
            TZOFFSETTO:+0000
            END:STANDARD
            END:VTIMEZONE
            END:VCALENDAR

            """
        #expect(text([]) == expected.replacing("\n", with: "\r\n"))
    }

    @Test("has no lines for absent properties, and the status of a cancelled event")
    func sparse() {
        var sparse = event
        (sparse.location, sparse.description, sparse.status) = (nil, nil, .cancelled)
        let lines = unfolded(text([sparse]))
        #expect(lines.contains("STATUS:CANCELLED"))
        #expect(!lines.contains { $0.hasPrefix("LOCATION") || $0.hasPrefix("DESCRIPTION") })
    }

    @Test(
        "has escaped text, which cannot add a line",
        arguments: [
            (#"a\b"#, #"a\\b"#), ("a;b,c:d\"", #"a\;b\,c:d""#), ("a\nb", #"a\nb"#),
            ("a\r\nb", #"a\nb"#), ("a\rb", #"a\nb"#), ("a\n\rb", #"a\n\nb"#),
            ("\nEND:VEVENT\r\nBEGIN:VALARM", #"\nEND:VEVENT\nBEGIN:VALARM"#),
            ("a\u{85}b\u{2028}c\u{2029}d\u{B}e\u{C}f", #"a\nb\nc\nd\ne\nf"#),
            ("a\u{0}\u{1B}\u{7F}\u{9F}b\tc", "ab\tc"), (#"\n"#, #"\\n"#), ("", ""),
        ]
    )
    func escaping(raw: String, escaped: String) {
        #expect(ContentLines.escaped(raw) == escaped)
        var hostile = event
        (hostile.description, hostile.location) = (raw, raw)
        (hostile.uid, hostile.summary) = (raw, raw)
        let lines = unfolded(text([hostile]))
        #expect(lines.count == 15)
        for name in ["DESCRIPTION", "UID", "SUMMARY", "LOCATION"] {
            #expect(lines.contains("\(name):\(escaped)"))
        }
        #expect(lines.filter { $0 == "END:VEVENT" }.count == 1)
    }

    @Test(
        "has lines that are folded at 75 octets and never within a character",
        arguments: ["a", "é", "€", "💇", "e\u{301}"]
    )
    func folding(character: String) {
        for lead in 0..<8 {
            for count in [0, 1, 14, 15, 16, 17, 18, 22, 23, 24, 33, 34, 35, 65, 66, 67, 500] {
                let value =
                    String(repeating: "x", count: lead)
                    + String(repeating: character, count: count)
                var content = ContentLines()
                content.append("SUMMARY", value)
                let lines = content.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
                #expect(
                    lines.last?.isEmpty == true && lines.dropLast().allSatisfy { $0.last == 0x0D }
                )
                for line in lines.dropLast() {
                    #expect(line.count - 1 <= 75)
                    #expect(String(validating: line, as: UTF8.self) != nil)
                }
                // Each folded line is as long as the next character allows.
                for line in lines.dropLast(2) {
                    #expect(line.count - 1 > 75 - (character.utf8.count + 1))
                }
                // Compare bytes, not characters, because a line may begin with a combining mark.
                let whole = lines.dropLast().map { $0.dropLast() }
                let unfolded = (whole.first ?? []) + whole.dropFirst().flatMap { $0.dropFirst() }
                #expect(unfolded.elementsEqual("SUMMARY:\(value)".utf8))
                #expect(whole.dropFirst().allSatisfy { $0.first == 0x20 })
            }
        }
    }

    @Test(
        "has times in UTC with seconds and with years clamped to 1 to 9999",
        arguments: [
            (0, "19700101T000000Z"), (-1, "19691231T235959Z"), (951_782_399, "20000228T235959Z"),
            (951_782_400, "20000229T000000Z"), (1_729_429_261, "20241020T130101Z"),
            (-62_135_596_800, "00010101T000000Z"), (-62_135_596_801, "00010101T000000Z"),
            (253_402_300_799, "99991231T235959Z"), (253_402_300_800, "99991231T235959Z"),
            (.min, "00010101T000000Z"), (.max, "99991231T235959Z"),
        ] as [(Int64, String)]
    )
    func times(seconds: Int64, text: String) {
        #expect(CalendarWriter.format(Timestamp(secondsSince1970: seconds)) == text)
    }

    @Test(
        "has a sequence number that is clamped to the range of RFC 5545",
        arguments: [(Int.min, 0), (-1, 0), (0, 0), (1, 1), (2_147_483_647, 2_147_483_647)]
            + [(2_147_483_648, 2_147_483_647), (.max, 2_147_483_647)]
    )
    func sequence(count: Int, written: Int) {
        var changed = event
        changed.sequence = count
        #expect(unfolded(text([changed])).contains("SEQUENCE:\(written)"))
    }

    @Test("does not fold a line of exactly 75 octets")
    func boundary() {
        for (count, isFolded) in [(67, false), (68, true)] {
            var content = ContentLines()
            content.append("SUMMARY", String(repeating: "x", count: count))
            #expect(content.bytes.contains(0x20) == isFolded)
        }
    }

    @Test("An event whose end is not known has only a start")
    func withoutEnd() {
        var open = event
        open.end = nil
        let text = String(decoding: CalendarWriter.write([open], productID: "p"), as: UTF8.self)
        #expect(text.contains("DTSTART:"))
        #expect(!text.contains("DTEND") && !text.contains("DURATION"))
    }
}
