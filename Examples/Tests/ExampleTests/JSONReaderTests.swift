import Testing

@Suite("json-reader")
struct JSONReaderTests {
    private static let salons = """
        {"salons": [
            {"name": "Torstraße", "open_time": 9.25, "close_time": 18, "seats": 2},
            {"name": "Night", "phone": "+49 30", "open_time": 18.50, "close_time": 2}
        ]}
        """

    @Test("It selects salons that are open at noon")
    func select() async throws {
        let execution = try await Execution("json-reader", "open", input: Self.salons)
        let expected = #"{"salons":[{"name":"Torstraße","open_time":9.25,"close_time":18.0}]}"#
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
        let invalid = try await Execution("json-reader", "indent", input: "[1,]")
        #expect(invalid.errors.hasPrefix("json-reader: not JSON:"))
    }
}
