import Testing

@Suite("json-reader")
struct JSONReaderTests {
    @Test("It selects salons that are open at noon")
    func select() async throws {
        let input = """
            {"salons": [
                {"name": "Torstraße", "open_time": 9.30, "close_time": 18},
                {"name": "Night", "open_time": 18.00, "close_time": 2.00}
            ]}
            """
        let execution = try await Execution("json-reader", input: input)
        #expect(execution.output == #"{"open":["Torstraße"]}"# + "\n")
        #expect(execution.code == 0)
    }

    @Test("An error names the path of the value")
    func errors() async throws {
        let execution = try await Execution(
            "json-reader",
            input: #"{"salons": [{"open_time": "9"}]}"#
        )
        #expect(execution.code == 1)
        #expect(execution.errors.contains("salons[0].open_time"))
    }
}
