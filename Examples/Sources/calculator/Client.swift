import JSON
import JSONRPC

/// Starts a calculator and calls it.
enum Client {
    static func run(server words: [String]) async throws {
        let (steps, continuation) = AsyncStream.makeStream(of: Progress.self)
        let progress = Method(notification: "$/progress", "Receives the progress of a call.") {
            call in
            continuation.yield(try call.params.decode())
        }
        let server = try ServerProcess(words) { transport in
            Connection(over: transport, table: MethodTable([progress]), framing: .lines)
        }
        let calculator = server.connection.peer
        try await divide(calculator)
        try await batch(calculator)
        try await reportProgress(calculator, steps)
        await cancel(calculator, steps)
        print("server:", await server.stop())
    }

    private static func divide(_ calculator: Peer) async throws {
        let quotient = try await calculator.call(
            "divide",
            Calculator.Division(dividend: 3, divisor: 4),
            as: Calculator.Quotient.self,
            timeout: .seconds(10)
        )
        print("3 / 4 =", quotient.quotient)
        do {
            _ = try await calculator.call("divide", [1, 0], as: Calculator.Quotient.self)
        } catch {
            print("1 / 0:", error.message)
        }
    }

    /// Sends two calls in one message.
    private static func batch(_ calculator: Peer) async throws {
        let division = Calculator.Division(dividend: 1, divisor: 2)
        let results = await calculator.batch([
            .call("divide", try JSONFragment(encoding: division)),
            .call("sumOfSquares", try JSONFragment(encoding: ["last": 3])),
        ])
        for result in results {
            switch result {
            case .success(let value): print("batch:", JSONFragment { $0.value(value) })
            case .failure(let error): print("batch:", error.message)
            }
        }
    }

    /// Passes a token, with which the calculator reports the progress of the call.
    private static func reportProgress(
        _ calculator: Peer,
        _ steps: AsyncStream<Progress>
    ) async throws {
        let params = Squares(last: 1_000, workDoneToken: "sum")
        async let sum = calculator.call("sumOfSquares", params, as: Double.self)
        for await step in steps {
            guard let percentage = step.value.percentage else { break }
            print("progress: \(percentage) %")
        }
        print("sum of squares:", try await sum)
    }

    /// Cancels a call when it reports its first step.
    private static func cancel(_ calculator: Peer, _ steps: AsyncStream<Progress>) async {
        let params = Squares(last: 1_000_000_000, workDoneToken: "sum")
        let call = Task { try await calculator.call("sumOfSquares", params, as: Double.self) }
        for await _ in steps { break }
        call.cancel()
        do {
            print("sum of squares:", try await call.value)
        } catch {
            print("cancelled:", error as? RPCError == .requestCancelled)
        }
    }
}

/// The params of `sumOfSquares`, with a token for its progress.
struct Squares: Encodable {
    var last: Int
    var workDoneToken: String
}

/// A step of the progress of a call (LSP 3.17, "Work Done Progress").
struct Progress: Decodable {
    struct Value: Decodable {
        /// The progress in percent; nil in the last step.
        var percentage: Int?
    }

    var token: String
    var value: Value
}
