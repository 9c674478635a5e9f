import Domain
import Testing

@testable import NovaBlendMethods

@Suite("Calendars")
struct CalendarWriterTests {
    private let event = CalendarEvent(
        uid: "a@b",
        stamp: Timestamp(secondsSince1970: 1_729_425_600),
        start: Timestamp(secondsSince1970: 1_729_429_200),
        end: Timestamp(secondsSince1970: 1_729_431_000),
        summary: "Scherenschnitt",
        location: "Torstraße 12, Berlin",
        description: "short; please",
        isCancelled: false,
        sequence: 2
    )

    private func text(_ events: [CalendarEvent]) -> String {
        String(decoding: CalendarWriter.write(events, version: "1.2.3"), as: UTF8.self)
    }

    private func unfolded(_ text: String) -> [String] {
        text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    }

    @Test("an event has what RFC 5545 asks for, line by line")
    func lines() {
        let expected = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//NovaBlend//novablend 1.2.3//EN
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

    @Test("what is not known is left out, and what is cancelled says so")
    func sparse() {
        var sparse = event
        (sparse.location, sparse.description, sparse.isCancelled) = (nil, nil, true)
        let lines = unfolded(text([sparse]))
        #expect(lines.contains("STATUS:CANCELLED"))
        #expect(!lines.contains { $0.hasPrefix("LOCATION") || $0.hasPrefix("DESCRIPTION") })
    }

    @Test("without an event it has a component all the same, and none that shows anything")
    func empty() {
        let begun = unfolded(text([])).filter { $0.hasPrefix("BEGIN") }
        #expect(begun == ["BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "BEGIN:STANDARD"])
        #expect(!text([event]).contains("VTIMEZONE"))
    }

    @Test(
        "text is escaped, and nothing in it ends a line",
        arguments: [
            (#"a\b"#, #"a\\b"#), ("a;b,c:d\"", #"a\;b\,c:d""#), ("a\nb", #"a\nb"#),
            ("a\r\nb", #"a\nb"#), ("a\rb", #"a\nb"#), ("a\n\rb", #"a\n\nb"#),
            ("\nEND:VEVENT\r\nBEGIN:VALARM", #"\nEND:VEVENT\nBEGIN:VALARM"#),
            ("a\u{85}b\u{2028}c\u{2029}d\u{B}e\u{C}f", #"a\nb\nc\nd\ne\nf"#),
            ("a\u{0}\u{1B}\u{7F}\u{9F}b\tc", "ab\tc"), (#"\n"#, #"\\n"#), ("", ""),
        ]
    )
    func escaping(raw: String, escaped: String) {
        #expect(CalendarWriter.escaped(raw) == escaped)
        var hostile = event
        (hostile.description, hostile.uid, hostile.summary) = (raw, raw, raw)
        hostile.location = raw
        let lines = unfolded(text([hostile]))
        #expect(lines.count == 15)
        for name in ["DESCRIPTION", "UID", "SUMMARY", "LOCATION"] {
            #expect(lines.contains("\(name):\(escaped)"))
        }
        #expect(lines.filter { $0 == "END:VEVENT" }.count == 1)
    }

    @Test(
        "lines are folded at 75 octets and never within a character",
        arguments: ["a", "é", "€", "💇", "e\u{301}"]
    )
    func folding(character: String) {
        for lead in 0..<8 {
            for count in [0, 1, 14, 15, 16, 17, 18, 22, 23, 24, 33, 34, 35, 65, 66, 67, 500] {
                let value =
                    String(repeating: "x", count: lead)
                    + String(repeating: character, count: count)
                var writer = CalendarWriter()
                writer.line("SUMMARY", value)
                let lines = writer.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
                #expect(
                    lines.last?.isEmpty == true && lines.dropLast().allSatisfy { $0.last == 0x0D }
                )
                for line in lines.dropLast() {
                    #expect(line.count - 1 <= 75)
                    #expect(String(validating: line, as: UTF8.self) != nil)
                }
                // Each is as full as the next character allows.
                for line in lines.dropLast(2) {
                    #expect(line.count - 1 > 75 - (character.utf8.count + 1))
                }
                // A mark may begin a line, so that bytes are compared, not characters.
                let whole = lines.dropLast().map { $0.dropLast() }
                let unfolded = (whole.first ?? []) + whole.dropFirst().flatMap { $0.dropFirst() }
                #expect(unfolded.elementsEqual("SUMMARY:\(value)".utf8))
                #expect(whole.dropFirst().allSatisfy { $0.first == 0x20 })
            }
        }
    }

    @Test("a line of exactly 75 octets is not folded")
    func boundary() {
        for (count, isFolded) in [(67, false), (68, true)] {
            var writer = CalendarWriter()
            writer.line("SUMMARY", String(repeating: "x", count: count))
            #expect(writer.bytes.contains(0x20) == isFolded)
        }
    }

    @Test("an appointment's event: from its id and salon, or from what is known without them")
    func appointments() {
        let id = SalonID(high: 1, low: 2)
        var appointment = Appointment(
            booking: BookingRequest(
                salonID: id,
                time: AppointmentTime(instant: event.start, offsetMinutes: 120),
                phone: "+49 30 1234567",
                email: "ada@example.com",
                note: "n"
            ),
            id: "17",
            version: 3,
            status: .cancelled
        )
        let midnight = TimeOfDay(minuteOfDay: 0)
        let salon = Salon(
            id: id,
            name: "Nova",
            location: "Paris",
            hours: OpeningHours(opens: midnight, closes: midnight),
            slotMinutes: 45
        )
        let known = CalendarEvent(of: appointment, at: salon, stamp: event.stamp)
        #expect(known.uid == "17@\(id)" && known.sequence == 2 && known.isCancelled)
        #expect(known.summary == "Nova" && known.location == "Paris" && known.description == "n")
        #expect(known.end.seconds(since: known.start) == 45 * 60)
        let written = text([known])
        #expect(!written.contains("1234567") && !written.contains("ada"))
        (appointment.id, appointment.version) = (nil, nil)
        let bare = CalendarEvent(of: appointment, at: nil, stamp: event.stamp)
        #expect(bare.uid == "20241020T130000Z@\(id)" && bare.sequence == 0)
        #expect(bare.end.seconds(since: bare.start) == 30 * 60)
        for version in [Int.min, -1, 0, 1] {
            appointment.version = version
            #expect(CalendarEvent(of: appointment, at: nil, stamp: event.stamp).sequence == 0)
        }
        appointment.version = .max
        let last = CalendarEvent(of: appointment, at: nil, stamp: event.stamp)
        #expect(text([last]).contains("SEQUENCE:2147483647"))
    }
}
