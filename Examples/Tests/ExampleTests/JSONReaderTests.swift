import Testing

@Suite("json-reader")
struct JSONReaderTests {
    private static let salons = """
        {"salons": [
            {"name": "Torstraße", "open_time": 9.25, "close_time": 18, "seats": 2,
             "updated": "2026-11-22T11:15:30+01:00"},
            {"name": "Night", "phone": "+49 30", "open_time": 18.50, "close_time": 2}
        ]}
        """

    @Test("It selects salons that are open at noon")
    func select() async throws {
        let execution = try await Execution("json-reader", "open", input: Self.salons)
        let expected =
            #"{"salons":[{"name":"Torstraße","open_time":9.25,"close_time":18.0,"#
            + #""updated":"2026-11-22T10:15:30Z"}]}"#
        #expect(execution.output == expected + "\n")
        #expect(execution.code == 0)
    }

    @Test("It calculates the mean of a number")
    func mean() async throws {
        let execution = try await Execution("json-reader", "mean", "open_time", input: Self.salons)
        #expect(execution.output == #"{"salons":2,"open_time":13.875}"# + "\n")
        let absent = try await Execution("json-reader", "mean", "seats", input: Self.salons)
        #expect(absent.code == 1)
        #expect(absent.errors == "json-reader: salons[1].seats must be present\n")
    }

    @Test(
        "It changes one member, and keeps the others and their order",
        arguments: [
            ("b", #"{"a":[9,{}],"b":1.5,"c":null}"#),
            ("d", #"{"a":[9,{}],"b":"x","c":null,"d":1.5}"#),
        ]
    )
    func set(key: String, expected: String) async throws {
        let input = #"{"a": [9, {}], "b": "x", "c": null}"#
        let execution = try await Execution("json-reader", "set", key, "1.5", input: input)
        #expect(execution.output == expected + "\n")
    }

    @Test("It writes a text on several lines")
    func indent() async throws {
        let execution = try await Execution("json-reader", "indent", input: #"{"a":[9.30,{}]}"#)
        #expect(execution.output == "{\n  \"a\": [\n    9.30,\n    {}\n  ]\n}\n")
    }

    @Test("An error names the path of the value")
    func errors() async throws {
        let input = #"{"salons": [{"name": "A", "open_time": "9"}]}"#
        let execution = try await Execution("json-reader", "open", input: input)
        #expect(execution.code == 1)
        #expect(execution.errors == "json-reader: salons[0].open_time must be a number\n")
        let date = #"{"salons": [{"name": "A", "open_time": 9, "close_time": 1, "updated": "x"}]}"#
        let rejected = try await Execution("json-reader", "open", input: date)
        #expect(rejected.errors == "json-reader: salons[0].updated: x is not a date\n")
    }

    @Test("An error in the syntax names the line and the column")
    func syntaxErrors() async throws {
        let invalid = try await Execution("json-reader", "indent", input: "[\n  1,\n]")
        let message = "json-reader: not JSON: expected a value (line 3, column 1)\n"
        #expect(invalid.errors == message)
    }
}
