import SystemTestSupport

/// A server on a real socket that returns the response of a closure, and closes each connection.
final class ScriptedServer: Sendable {
    enum Response: Sendable {
        case reply(String, String)
        /// Closes the connection without a response.
        case hangUp
    }

    struct Connection: Sendable {
        fileprivate let exchange: LoopbackServer.Exchange
        /// The head of the request.
        let request: String
        let body: String

        fileprivate init(_ exchange: LoopbackServer.Exchange) {
            self.exchange = exchange
            (request, body) = (exchange.head, exchange.body)
        }

        /// Sends exactly these bytes.
        func send(_ bytes: [UInt8]) { exchange.send(bytes) }

        /// Returns when the client has closed its end.
        func waitForClose() { exchange.waitForClose() }
    }

    private let server: LoopbackServer
    var url: String { server.url }

    init(_ respond: @escaping @Sendable (Connection) -> Response) throws {
        server = try LoopbackServer(isRecording: false) { exchange in
            if case .reply(let status, let body) = respond(Connection(exchange)) {
                exchange.reply(status, headers: ["Connection: close"], body: body)
            }
            exchange.end()
        }
    }
}
