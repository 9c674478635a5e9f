import Testing

@testable import CommandLineKit

@Suite("Kinds of values")
struct ValueKindTests {
    private typealias AnyKind = ValueKind<any Sendable>

    private static func any<Value: Sendable>(_ kind: ValueKind<Value>) -> AnyKind {
        kind.map { $0 }
    }

    private enum Letter: String, CaseIterable { case a, b }

    private static let proxy = ValueKind.url(
        schemes: ["http", "socks5"],
        example: "http://proxy.example",
        or: "environment"
    )

    @Test(
        "Valid values are accepted",
        arguments: [
            (any(.text("T")), [" ", "x"]), (any(.choice(["a", "b"])), ["a", "b"]),
            (any(.absoluteDirectory), ["/", "/a"]), (any(.file), ["a"]),
            (any(.url()), ["https://a", "HTTP://a.example/b?c"]),
            (any(proxy), ["environment", "socks5://a", "http://a"]),
        ] as [(AnyKind, [String])]
    )
    private func valid(kind: AnyKind, values: [String]) throws {
        for value in values { #expect(try kind.value(of: value) as? String == value) }
    }

    @Test("Numbers, durations, and cases of an enumeration are parsed")
    func parsed() throws {
        #expect(try ValueKind.integer(1...3).value(of: "3") == 3)
        #expect(try ValueKind.integer(1...Int.max).value(of: "+9") == 9)
        #expect(try ValueKind<UInt16>.integer(0...65_535).value(of: "65535") == UInt16.max)
        let durations = [("0", 0), ("3", 3_000), ("0.5", 500), ("2.", 2_000), ("0.0006", 1)]
        for (text, milliseconds) in durations {
            #expect(try ValueKind.seconds(upTo: 3).value(of: text) == .milliseconds(milliseconds))
        }
        #expect(try ValueKind.choice(Letter.self).value(of: "b") == .b)
        #expect(try ValueKind.integer(1...3).map { $0 * 2 }.value(of: "3") == 6)
    }

    @Test(
        "Other values are rejected, and the error describes the valid ones",
        arguments: [
            (any(.text("T")), [""], "must not be empty"), (any(.file), [""], "must not be empty"),
            (
                any(.integer(1...3)), ["0", "4", "x", "", "1.0"],
                "must be a whole number from 1 to 3"
            ),
            (any(.integer(2...Int.max)), ["1"], "must be a whole number of at least 2"),
            (
                any(ValueKind<UInt16>.integer(0...65_535)), ["65536", "-1"],
                "must be a whole number from 0 to 65535"
            ),
            (any(.choice(["a", "b", "c"], "X")), ["d", "", "A"], "must be a, b, or c"),
            (any(.choice(Letter.self)), ["c", ""], "must be a or b"),
            (any(.choice(["a"])), ["b"], "must be a"),
            (any(.absoluteDirectory), ["", "a"], "must be an absolute path"),
            (
                any(.seconds(upTo: 3)),
                ["3.1", "", ".5", "-1", "inf", "nan", "0x1", "1e0", "1.2.3"],
                "must be a number of seconds from 0 to 3, such as 0.5"
            ),
            (
                any(.url()),
                ["", "a", "ftp://a", "http://", "http:///a", "http://?", "https://a b"],
                "must be a URL such as https://server.example"
            ),
            (
                any(proxy), ["https://a", "Environment"],
                "must be environment or a URL such as http://proxy.example"
            ),
        ] as [(AnyKind, [String], String)]
    )
    private func invalid(kind: AnyKind, values: [String], problem: String) {
        for value in values {
            #expect(throws: InvalidValue(problem)) { try kind.value(of: value) }
        }
    }

    @Test("Values are listed in the placeholder or before the summary, never in both")
    func listing() {
        let short = ValueKind.choice(["a", "b"])
        #expect(short.placeholder == "a|b" && short.described("s") == "s")
        let long = ValueKind.choice(["a", "b"], "X")
        #expect(long.placeholder == "X" && long.described("s") == "a or b: s")
        #expect(long.words == ["a", "b"] && ValueKind.file.words.isEmpty)
    }
}
