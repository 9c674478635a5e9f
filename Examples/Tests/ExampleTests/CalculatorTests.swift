import Testing

@Suite("calculator")
struct CalculatorTests {
    @Test("It divides, and explains why a quotient does not exist")
    func divide() async throws {
        let input = """
            {"jsonrpc":"2.0","id":1,"method":"divide","params":{"dividend":-7,"divisor":2}}
            {"jsonrpc":"2.0","id":2,"method":"divide","params":[1,0]}

            """
        let execution = try await Execution("calculator", input: input)
        #expect(execution.code == 0)
        #expect(execution.output.contains(#""id":1,"result":{"quotient":-3,"remainder":-1}"#))
        #expect(execution.output.contains("the quotient does not exist"))
    }
}
