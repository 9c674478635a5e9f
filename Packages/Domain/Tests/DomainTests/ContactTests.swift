import DomainTestSupport
import Testing

@testable import Domain

@Suite("Phone numbers and email addresses as people paste them")
struct ContactTests {
    @Test(
        "a phone number is stored as it was meant",
        arguments: [
            ("+49 30 1234567", "+49 30 1234567"), ("  +49 30 1234567\n", "+49 30 1234567"),
            ("+49\u{A0}30\u{202F}1234567", "+49 30 1234567"), ("030\t123 4567", "030 123 4567"),
            ("\u{202D}+49 30 1234567\u{202C}", "+49 30 1234567"),
            ("\u{200E}030 1234567\u{200F}", "030 1234567"),
            ("\u{2068}030 1234567\u{2069}", "030 1234567"), ("\u{FEFF}030 1234567", "030 1234567"),
            ("030\u{200B}1234567", "0301234567"), ("030\u{2011}123\u{2013}4567", "030-123-4567"),
            ("030\u{2010}1234567", "030-1234567"), ("030\u{2015}1234567", "030-1234567"),
            ("030\u{2212}1234567", "030-1234567"),
            ("\u{FF0B}\u{FF14}\u{FF19}\u{3000}\u{FF13}\u{FF10} 1234567", "+49 30 1234567"),
            ("\u{FF08}030\u{FF09}1234567", "(030)1234567"),
            ("٠٣٠ ١٢٣٤٥٦٧", "030 1234567"), ("०३० १२३४५६७", "030 1234567"),
            ("۰۳۰ ۱۲۳۴۵۶۷", "030 1234567"), ("tel:+49-30-1234567", "+49-30-1234567"),
            ("TEL: 030 1234567", "030 1234567"), ("tel:%2B49301234567", "+49301234567"),
            ("tel:1234567;phone-context=+4930", "+4930 1234567"),
            ("(+49) 30 1234567", "+49 30 1234567"), ("+49 (0)30 1234567", "+49 30 1234567"),
            ("+49 (0) 30 1234567", "+49 30 1234567"), ("(030) 123-4567", "(030) 123-4567"),
            ("030  1234567", "030 1234567"),
        ]
    )
    func phones(text: String, expected: String) throws {
        #expect(try Phone.normalized(text) == expected)
        #expect(try Phone.normalized(expected) == expected)
        #expect(Phone(text).digits == Phone(expected).digits)
    }

    @Test(
        "an extension is kept in one form, and does not count in a comparison",
        arguments: [
            "+49 30 1234567 ext. 12", "+49 30 1234567 ext 12", "+49 30 1234567ext12",
            "+49 30 1234567 EXT: 12", "+49 30 1234567, extension 12", "+49 30 1234567 x12",
            "+49 30 1234567x12", "+49 30 1234567 X 12", "+49 30 1234567 #12",
            "+49 30 1234567;ext=12",
            "tel:+49 30 1234567;ext=12", "+49 30 1234567 ext.\u{A0}١٢",
        ]
    )
    func extensions(text: String) throws {
        #expect(try Phone.normalized(text) == "+49 30 1234567 ext. 12")
        let phone = Phone(text)
        #expect(!phone.isMasked && phone.digits == "49301234567")
        #expect(phone.matches(Phone("030 1234567")) && phone.matches(Phone("+49301234567 x99")))
        #expect(!phone.matches(Phone("+49 30 123456712")))
    }

    @Test(
        "each reason for which a text is not a phone number has its own message",
        arguments: [
            ("", "is empty"), (" \u{202D}\u{202C}", "is empty"), ("tel:", "is empty"),
            ("1234", "has 4 digits instead of 5 to 15"), ("1", "has 1 digit instead of 5 to 15"),
            ("1234567890123456", "has 16 digits instead of 5 to 15"),
            ("030 1234567, 030 7654321", #"contains ",""#), ("call 030 1234567", #"contains "c""#),
            ("030 1234567\u{7}", "contains U+7"), ("030²1234567", #"contains "²""#),
            ("030+1234567", "has a plus that is not at the beginning"),
            ("000-0000", "has only zeros"),
            ("030 1234567 ext.", "has an extension that is not 1 to 7 digits"),
            ("030 1234567 x12345678", "has an extension that is not 1 to 7 digits"),
            (
                "4.93012E+11",
                "4.93012E+11 is how a spreadsheet writes a long number, without its last digits"
            ),
            (
                "4,93e11",
                "4,93e11 is how a spreadsheet writes a long number, without its last digits"
            ),
            (
                "12345" + String(repeating: "-", count: 36), "has more than 40 characters"
            ),
        ]
    )
    func phoneReasons(text: String, problem: String) {
        let request = Samples.booking(phone: text)
        let reason = "must be a phone number like +49 30 1234567, and \(problem)"
        #expect(throws: Failure.invalidRequest(field: "phone", reason: reason)) {
            try BookingRules.check(request.normalized, now: ManualClock().now)
        }
    }

    @Test(
        "an email address is stored as it was meant, and one of nothing is absent",
        arguments: [
            ("ada@example.com", "ada@example.com"), (" ada@example.com ", "ada@example.com"),
            ("\u{A0}ada@example.com\r\n", "ada@example.com"),
            ("\u{FEFF}ada@\u{200B}example.com", "ada@example.com"),
            ("mailto:ada@example.com", "ada@example.com"), ("ada＠example.com", "ada@example.com"),
            ("", nil), (" \u{200E}\t", nil), ("mailto:", nil),
            ("ädä@exämple.com", "ädä@exämple.com"),
        ] as [(String, String?)]
    )
    func emails(text: String, expected: String?) throws {
        #expect(try Email.normalized(text) == expected)
        var request = Samples.booking()
        request.email = text
        #expect(request.normalized.email == expected)
        try BookingRules.check(request.normalized, now: ManualClock().now)
    }

    @Test(
        "each reason for which a text is not an email address has its own message",
        arguments: [
            ("ada", "has no @"), ("a@b@c", "has more than one @"),
            ("@b", "has nothing before or after the @"),
            ("a@", "has nothing before or after the @"),
            ("a b@c", "contains a space"), ("a\u{A0}b@c", "contains a space"),
            ("a\u{7F}@b", "contains U+7F"),
            (String(repeating: "a", count: 253) + "@b", "has more than 254 bytes"),
        ]
    )
    func emailReasons(text: String, problem: String) {
        var request = Samples.booking()
        request.email = text
        let reason = "must be an email address like ada@example.com, and \(problem)"
        #expect(throws: Failure.invalidRequest(field: "email", reason: reason)) {
            try BookingRules.check(request.normalized, now: ManualClock().now)
        }
    }

    @Test(
        "digits that a server hides are not an extension",
        arguments: ["***567", "+49 30 XXX 12", "030 xx12", "#567"]
    )
    func masked(text: String) { #expect(Phone(text).isMasked) }

    @Test("bookings and holds are sent and journaled with what was meant")
    func sent() async throws {
        let fixture = ChangeFixture()
        var request = Samples.booking(
            phone: "\u{202D}tel:+49\u{A0}30\u{2011}1234567;ext=12\u{202C}"
        )
        request.email = " ada@example.com "
        let booked = try await fixture.booking.book(request).appointment.booking
        #expect(booked.phone == "+49 30-1234567 ext. 12" && booked.email == "ada@example.com")
        let intent = try #require(try fixture.journal.intents().first)
        #expect(intent.action == .book(booked))
        request.email = ""
        let preview = try await fixture.booking.preview(request, key: "other")
        #expect(preview.after.booking.email == nil)
    }

    @Test(
        "the last digits of a phone number find it in any form",
        arguments: [
            ("1020", "0155501020", true), ("1020", "+49 1555 01020", true),
            ("10-20", "(0155) 50 1020 ext. 7", true), ("1020", "01555010200", false),
            ("0020", "0155500020", true), ("0020", "0155501120", false),
            ("+49 30 1234567", "030 1234567", true), ("030 1234567", "+49 30 1234567", true),
            ("１０２０", "0155501020", true), ("1020", "***1020", true), ("4930", "+49 30 XXX", false),
            ("1020", "", false), ("567", "1234567", nil), ("", "1234567", nil), ("ana", "1", nil),
        ] as [(String, String, Bool?)]
    )
    func ending(digits: String, number: String, isFound: Bool?) {
        let ending = try? PhoneEnding(digits)
        #expect(ending.map { $0.matches(number) } == isFound)
    }
}
