import Testing

@testable import CommandLineKit

@Suite("Kinds of values")
struct ValueKindTests {
    private static let proxy = ValueKind.url(
        schemes: ["http", "socks5"],
        example: "http://proxy.example",
        or: "environment"
    )

    @Test(
        "Valid values are accepted",
        arguments: [
            (.text("T"), [" ", "x"]), (.integer(1...3), ["1", "3"]), (.integer(1...Int.max), ["9"]),
            (.choice(["a", "b"]), ["a", "b"]), (.absoluteDirectory, ["/", "/a"]), (.file, ["a"]),
            (.seconds(upTo: 3), ["0", "3", "0.5", "2."]),
            (.url(), ["https://a", "HTTP://a.example/b?c"]),
            (proxy, ["environment", "socks5://a", "http://a"]),
        ] as [(ValueKind, [String])]
    )
    func valid(kind: ValueKind, values: [String]) {
        for value in values { #expect(kind.problem(value) == nil, "\(value)") }
    }

    @Test(
        "Other values are rejected, and the error describes the valid ones",
        arguments: [
            (.text("T"), [""], "must not be empty"), (.file, [""], "must not be empty"),
            (.integer(1...3), ["0", "4", "x", "", "1.0"], "must be a whole number from 1 to 3"),
            (.integer(2...Int.max), ["1"], "must be a whole number of at least 2"),
            (.choice(["a", "b", "c"], "X"), ["d", "", "A"], "must be a, b, or c"),
            (.choice(["a"]), ["b"], "must be a"),
            (.absoluteDirectory, ["", "a"], "must be an absolute path"),
            (
                .seconds(upTo: 3), ["3.1", "", ".5", "-1", "inf", "nan", "0x1", "1e0", "1.2.3"],
                "must be a number of seconds from 0 to 3, such as 0.5"
            ),
            (
                .url(), ["", "a", "ftp://a", "http://", "http:///a", "http://?", "https://a b"],
                "must be a URL such as https://server.example"
            ),
            (
                proxy, ["https://a", "Environment"],
                "must be environment or a URL such as http://proxy.example"
            ),
        ] as [(ValueKind, [String], String)]
    )
    func invalid(kind: ValueKind, values: [String], problem: String) {
        for value in values { #expect(kind.problem(value) == problem, "\(value)") }
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
