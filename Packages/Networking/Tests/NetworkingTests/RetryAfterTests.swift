import Networking
import Testing
import WebPrimitives

@Suite("Retry-After")
struct RetryAfterTests {
    private let now = HTTPDate(secondsSince1970: 784_111_777)

    @Test(
        "Retry-After is parsed as seconds or as a date, and limited to a day",
        arguments: [
            ("0", 0), ("120", 120), ("86401", 86_400), ("99999999999999999999999999", 86_400),
            ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
            ("Sun Nov  6 08:49:47 1994", 10), ("Sun, 06 Nov 1994 08:49:27 GMT", 0),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
            ("", nil), ("-1", nil), ("+1", nil), ("1.5", nil), ("soon", nil), ("１", nil),
        ]
    )
    func values(text: String, seconds: Int?) {
        #expect(
            HTTPResponse.status(503, ["Retry-After": text]).retryAfter(now: now)
                == seconds.map { .seconds($0) }
        )
    }

    @Test("A delay until a date is counted from the server's own date")
    func serverDate() {
        let response = HTTPResponse.status(
            503,
            [
                "Date": "Sun, 06 Nov 1994 09:00:00 GMT",
                "Retry-After": "Sun, 06 Nov 1994 09:00:07 GMT",
            ]
        )
        #expect(response.retryAfter(now: now) == .seconds(7))
    }
}
