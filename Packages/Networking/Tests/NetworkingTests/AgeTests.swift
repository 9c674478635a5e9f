import Networking
import Testing
import WebPrimitives

@Suite("Age")
struct AgeTests {
    private func age(_ headers: HTTPHeaders) -> Int? {
        HTTPResponse(status: 200, headers: headers, body: [], url: "http://a.test/").age
    }

    @Test(
        "The age is the largest number of Age, in seconds",
        arguments: [
            ("0", 0), ("7", 7), ("007", 7), (" 7\t", 7), ("7, 8", 8), ("8,7", 8), ("7 ,x", 7),
            (",7", 7),
            ("7,\u{301}", 7), ("x, 7", 7),
            ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_647),
            ("99999999999999999999", 2_147_483_647),
        ]
    )
    func number(text: String, seconds: Int) {
        #expect(age(["age": text]) == seconds)
    }

    @Test(
        "There is no age if Age is not a non-negative integer",
        arguments: ["", " ", ",", "-1", "+1", "1.5", "1e3", "0x1", "7 8", "7;a", "\u{661}", "a"]
    )
    func invalid(text: String) {
        #expect(age(["Age": text]) == nil)
    }

    @Test("There is no age without Age, and the largest of several fields counts")
    func fields() {
        #expect(age([:]) == nil)
        #expect(age(["Age": "5", "AGE": "9"]) == 9)
        #expect(age(["Age": "9", "AGE": "5"]) == 9)
        #expect(age(["Age": "x", "age": "9"]) == 9)
        #expect(age(["Age": "x", "age": "-9"]) == nil)
    }

    /// Sun, 06 Nov 1994 08:49:37 GMT
    private let now = HTTPDate(secondsSince1970: 784_111_777)

    @Test(
        "The age at arrival is the larger of those according to Date and to Age",
        arguments: [
            // Date, Age, seconds since the request, age
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 0, 0),
            ("Sun, 06 Nov 1994 07:49:37 GMT", nil, 0, 3_600),
            ("Sat, 06 Nov 1993 08:49:37 GMT", nil, 0, 31_536_000), (nil, "90", 0, 90),
            (nil, "90", 5, 95),
            (nil, nil, 5, 5), ("Sun, 06 Nov 1994 08:48:37 GMT", nil, 0, 0),
            ("Sun, 06 Nov 1994 08:48:36 GMT", nil, 0, 61),
            ("Sun, 06 Nov 1994 07:49:37 GMT", "90", 5, 3_600),
            ("Sun, 06 Nov 1994 08:48:00 GMT", "3600", 5, 3_605),
            ("Mon, 07 Nov 1994 08:49:37 GMT", "7", 0, 7),
            ("Mon, 07 Nov 1994 08:49:37 GMT", nil, 0, 0), ("yesterday", "x", 0, 0),
            ("Thu, 01 Jan 0001 00:00:00 GMT", nil, 0, 2_147_483_647),
            (nil, "2147483647", 5, 2_147_483_647),
        ] as [(String?, String?, Int, Int)]
    )
    func initialAge(date: String?, age: String?, delay: Int, expected: Int) {
        var headers = HTTPHeaders()
        headers["Date"] = date
        headers["Age"] = age
        let response = HTTPResponse(status: 200, headers: headers, url: "http://a.test/")
        #expect(response.initialAge(now: now, sinceRequest: .seconds(delay)) == expected)
    }

    @Test("The lag of Date is negative if the server's clock is ahead")
    func lag() {
        for (date, seconds) in [
            ("Sun, 06 Nov 1994 08:49:30 GMT", 7), ("Sun, 06 Nov 1994 08:49:40 GMT", -3), ("x", nil),
        ] as [(String, Int?)] {
            let response = HTTPResponse(status: 200, headers: ["Date": date], url: "http://a.test/")
            #expect(response.dateLag(now: now) == seconds)
        }
    }
}
