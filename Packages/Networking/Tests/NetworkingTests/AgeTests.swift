import Networking
import Testing

@Suite("Age")
struct AgeTests {
    private func age(_ headers: HTTPHeaders) -> Int? {
        HTTPResponse(status: 200, headers: headers, body: [], url: "http://a.test/").age
    }

    @Test(
        "The age is the first number of Age, in seconds",
        arguments: [
            ("0", 0), ("7", 7), ("007", 7), (" 7\t", 7), ("7, 8", 7), ("7 ,x", 7), ("7,\u{301}", 7),
            ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_647),
            ("99999999999999999999", 2_147_483_647),
        ]
    )
    func number(text: String, seconds: Int) {
        #expect(age(["age": text]) == seconds)
    }

    @Test(
        "There is no age if Age is not a non-negative integer",
        arguments: ["", " ", ",7", "-1", "+1", "1.5", "1e3", "0x1", "7 8", "7;a", "\u{661}", "a"]
    )
    func invalid(text: String) {
        #expect(age(["Age": text]) == nil)
    }

    @Test("There is no age without Age, and the first of several fields counts")
    func fields() {
        #expect(age([:]) == nil)
        #expect(age(["Age": "5", "AGE": "9"]) == 5)
        #expect(age(["Age": "x", "age": "9"]) == nil)
    }
}
