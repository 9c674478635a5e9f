import JSONRPC
import Synchronization

/// A calculator for several clients, which connect to a Unix socket. All of them receive each result.
final class SharedCalculator: Sendable {
    private let clients = Mutex<[ObjectIdentifier: Peer]>([:])

    /// Serves clients until the listener is stopped.
    func serve(_ listener: UnixSocketListener) async throws {
        let table = MethodTable([try makeDivide()])
        await listener.run { [self] transport in
            let info = ServerInfo(name: "calculator", version: "1.0")
            let connection = Connection(over: transport, table: table, info: info)
            let client = connection.peer
            clients.withLock { $0[ObjectIdentifier(client)] = client }
            Task {
                _ = await connection.run()
                clients.withLock { $0[ObjectIdentifier(client)] = nil }
            }
        }
    }

    private func makeDivide() throws -> Method {
        Method(
            "divide",
            "Divides two numbers, and sends the quotient to all clients.",
            parameters: try .properties(of: Calculator.Division.self),
            result: .init("quotient", "the quotient")
        ) { [self] (division: Calculator.Division, _) in
            let quotient = try division.quotient()
            for client in clients.withLock({ Array($0.values) }) {
                try client.notify("divided", quotient)
            }
            return quotient
        }
    }
}
