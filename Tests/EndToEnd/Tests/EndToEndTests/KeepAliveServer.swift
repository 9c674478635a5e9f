import SystemTestSupport

/// A server on a real socket that returns the responses of a closure, and keeps connections open.
final class KeepAliveServer: Sendable {
    indirect enum Response: Sendable {
        case reply(Int, String = "", headers: [String: String] = [:])
        /// Closes the connection without a response.
        case hangUp
        /// Withholds the response until the gate opens.
        case withheld(Gate, Response)
    }

    private let server: LoopbackServer
    var url: String { server.url }

    init(_ respond: @escaping @Sendable (ReceivedRequest) -> Response) throws {
        server = try LoopbackServer(isRecording: false) { exchange in
            Self.send(respond(ReceivedRequest(exchange)), on: exchange)
        }
    }

    private static func send(_ response: Response, on exchange: LoopbackServer.Exchange) {
        switch response {
        case .hangUp: exchange.end()
        case .withheld(let gate, let response):
            gate.wait()
            send(response, on: exchange)
        case .reply(let status, let body, let headers):
            var head = "HTTP/1.1 \(status) X\r\n"
            if status != 204 { head += "Content-Length: \(body.utf8.count)\r\n" }
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            if !exchange.send(head + "\r\n" + body) { exchange.end() }
        }
    }
}
