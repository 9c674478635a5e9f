import JSON
import JSONRPC

/// Starts a calculator and calls it.
enum Client {
    static func run(server words: [String]) async throws {
        let (steps, continuation) = AsyncStream.makeStream(of: String.self)
        let server = try ServerProcess(words) { transport in
            Connection(
                over: transport,
                table: MethodTable([Progress.method { continuation.yield($0) }]),
                framing: .lines
            )
        }
        let calculator = server.connection.peer
        try await divide(calculator)
        await batch(calculator)
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
        do throws(RPCError) {
            _ = try await calculator.call("divide", JSONFragment(trusted: Array("[1,0]".utf8)))
        } catch {
            print("1 / 0:", error.message)
        }
    }

    /// Sends two calls in one message.
    private static func batch(_ calculator: Peer) async {
        let results = await calculator.batch([
            .call("divide", JSONFragment(trusted: Array("[1,2]".utf8))),
            .call("sumOfSquares", JSONFragment(trusted: Array("[3]".utf8))),
        ])
        for result in results {
            switch result {
            case .success(let value): print("batch:", JSONFragment { $0.value(value) })
            case .failure(let error): print("batch:", error.message)
            }
        }
    }

    private static func reportProgress(
        _ calculator: Peer,
        _ steps: AsyncStream<String>
    ) async throws {
        async let sum = calculator.call("sumOfSquares", Progress.params(last: 1_000))
        for await step in steps {
            if step == Progress.end { break }
            print("progress:", step)
        }
        print("sum of squares:", try await sum.number())
    }

    /// Cancels a call when it reports its first step.
    private static func cancel(_ calculator: Peer, _ steps: AsyncStream<String>) async {
        let params = Progress.params(last: 1_000_000_000)
        let call = Task { try await calculator.call("sumOfSquares", params) }
        for await _ in steps { break }
        call.cancel()
        do {
            print("sum of squares:", try await call.value.number())
        } catch {
            print("cancelled:", error as? RPCError == .requestCancelled)
        }
    }
}

/// The progress of calls (LSP 3.17, "Work Done Progress").
enum Progress {
    static let end = "end"

    /// The notification of a step. Passes the percentage to `receive`, and at last ``end``.
    static func method(_ receive: @escaping @Sendable (String) -> Void) -> Method {
        let parameters = [
            Method.Parameter("token", "the token", isRequired: true, schema: .emptyObject),
            Method.Parameter("value", "the step", isRequired: true, schema: .emptyObject),
        ]
        return Method(
            "$/progress",
            "Receives one step.",
            parameters: parameters,
            result: .init("result", "null"),
            // Changes run in order.
            effect: .changes()
        ) { call throws(RPCError) in
            let step = try call.params.read("value") { value throws(JSONError) in
                try value.object()
            }
            if let percentage = try? step?["percentage"]?.integer() {
                receive("\(percentage) %")
            } else {
                receive(end)
            }
            return .null
        }
    }

    static func params(last: Int) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("last", last)
                writer.member("workDoneToken", "sum")
            }
        }
    }
}
