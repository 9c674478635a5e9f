import Foundation

/// A server on a real socket that returns the responses of a closure, and keeps connections open.
final class KeepAliveServer: Sendable {
    indirect enum Response: Sendable {
        case reply(Int, String = "", headers: [String: String] = [:])
        /// Closes the connection without a response.
        case hangUp
        /// Withholds the response until the gate opens.
        case withheld(Gate, Response)
    }

    private let listener: ScriptedServer
    var url: String { listener.url }

    init(_ respond: @escaping @Sendable (ReceivedRequest) -> Response) throws {
        listener = try ScriptedServer { connection in
            var next: (head: String, body: String)? = (connection.request, connection.body)
            var position = 0
            while let (head, body) = next {
                let request = ReceivedRequest(head: head, body: body, position: position)
                guard Self.send(respond(request), to: connection.descriptor) else { break }
                position += 1
                next = ScriptedServer.readRequest(connection.descriptor)
            }
            return .hangUp
        }
    }

    /// Sends a response; returns false if the connection must be closed instead.
    private static func send(_ response: Response, to connection: Int32) -> Bool {
        switch response {
        case .hangUp: return false
        case .withheld(let gate, let response):
            gate.wait()
            return send(response, to: connection)
        case .reply(let status, let body, let headers):
            var head = "HTTP/1.1 \(status) X\r\n"
            if status != 204 { head += "Content-Length: \(body.utf8.count)\r\n" }
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            let bytes = Array((head + "\r\n" + body).utf8)
            // MSG_NOSIGNAL: the client may have closed the connection.
            return bytes.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, 0x4000) == $0.count
            }
        }
    }
}
