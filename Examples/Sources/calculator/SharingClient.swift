import JSONRPC

/// A client of a ``SharedCalculator``.
struct SharingClient {
    private let connection: Connection
    private let results: AsyncStream<Calculator.Quotient>

    init(path: String) throws {
        let (results, continuation) = AsyncStream.makeStream(of: Calculator.Quotient.self)
        let divided = Method(
            notification: "divided",
            "Receives a quotient that any client requested."
        ) { call in
            continuation.yield(try call.params.decode())
        }
        connection = Connection(
            over: try .connect(toSocket: path),
            table: MethodTable([divided]),
            framing: .lines
        )
        connection.start()
        self.results = results
    }

    /// Starts a calculator, two clients, and a calculation of each.
    static func run(path: String) async throws {
        let listener = try UnixSocketListener(path: path)
        async let serving: Void = SharedCalculator().serve(listener)
        let clients = [try SharingClient(path: path), try SharingClient(path: path)]
        for (client, divisor) in zip(clients, [2.0, 4]) { try await client.divide(1, by: divisor) }
        // Both clients are connected now, so both receive the result.
        try await clients[0].divide(1, by: 8)
        for client in clients { await client.printResults(until: 0.125) }
        listener.stop()
        try await serving
    }

    private func divide(_ dividend: Double, by divisor: Double) async throws {
        let division = Calculator.Division(dividend: dividend, divisor: divisor)
        _ = try await connection.peer.call("divide", division, as: Calculator.Quotient.self)
    }

    private func printResults(until last: Double) async {
        for await result in results {
            print("result:", result.quotient)
            if result.quotient == last { break }
        }
        connection.stop()
    }
}
