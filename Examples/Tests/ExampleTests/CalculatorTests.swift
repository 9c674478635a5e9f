import Testing

@Suite("calculator")
struct CalculatorTests {
    @Test("It calls its own server: results, errors, batches, progress, cancellation")
    func client() async throws {
        let execution = try await Execution("calculator")
        #expect(execution.code == 0)
        #expect(
            execution.lines == [
                "3 / 4 = 0.75", "1 / 0: division by zero", #"batch: {"quotient":0.5}"#,
                "batch: 14.0", "progress: 0 %", "progress: 25 %", "progress: 50 %",
                "progress: 75 %", "progress: 100 %", "sum of squares: 333833500.0",
                "cancelled: true", "server: exited(code: 0)",
            ]
        )
    }

    @Test("As a server, it explains which parameter is wrong")
    func server() async throws {
        let input = #"{"jsonrpc":"2.0","id":1,"method":"divide","params":{"dividend":"1"}}"# + "\n"
        let execution = try await Execution("calculator", "serve", input: input)
        #expect(execution.code == 0)
        #expect(execution.output.contains("\"divisor\\\" is missing"))
    }
}
