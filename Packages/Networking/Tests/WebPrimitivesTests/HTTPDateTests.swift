import Testing
import WebPrimitives

@Suite("HTTP dates")
struct HTTPDateTests {
    private let now = HTTPDate(secondsSince1970: 1_790_000_000)

    @Test(
        "A date is parsed in each of the three formats",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ]
    )
    func formats(text: String) {
        #expect(HTTPDate(text, now: now)?.secondsSince1970 == 784_111_777)
    }

    @Test(
        "A date is correct at the edges of the calendar",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800),
            ("Monday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
            ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
        ]
    )
    func edges(text: String, seconds: Int) {
        #expect(HTTPDate(text, now: now)?.secondsSince1970 == seconds)
    }

    @Test(
        "Other text is not a date",
        arguments: [
            "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
            "Mon, 29 Feb 2100 00:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 199999999999999999999 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sun Nov  6 08:49 1994", "1994-11-06T08:49:37Z",
        ]
    )
    func none(text: String) {
        #expect(HTTPDate(text, now: now) == nil)
    }

    @Test(
        "The text of a date is in the preferred format",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int.min, "Mon, 01 Jan 0001 00:00:00 GMT"),
        ]
    )
    func text(seconds: Int, expected: String) {
        #expect(HTTPDate(secondsSince1970: seconds).description == expected)
    }
}
