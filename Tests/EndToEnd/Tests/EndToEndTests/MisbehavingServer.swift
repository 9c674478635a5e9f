import Foundation

/// A server on a real socket that keeps its connections open and answers each request as a test says.
final class MisbehavingServer: Sendable {
    indirect enum Answer: Sendable {
        case reply(Int, String = "", headers: [String: String] = [:])
        /// The connection is closed without an answer.
        case hangUp
        /// The answer is withheld until the gate opens.
        case withheld(Gate, Answer)
    }

    private let listener: ScriptedServer
    var url: String { listener.url }

    init(_ answer: @escaping @Sendable (ReceivedRequest) -> Answer) throws {
        listener = try ScriptedServer { connection in
            var next: (head: String, body: String)? = (connection.request, connection.body)
            var position = 0
            while let (head, body) = next {
                let request = ReceivedRequest(head: head, body: body, position: position)
                guard Self.send(answer(request), to: connection.descriptor) else { break }
                position += 1
                next = ScriptedServer.readRequest(connection.descriptor)
            }
            return .nothing
        }
    }

    /// Sends an answer; false when the connection is to be closed instead.
    private static func send(_ answer: Answer, to connection: Int32) -> Bool {
        switch answer {
        case .hangUp: return false
        case .withheld(let gate, let answer):
            gate.pass()
            return send(answer, to: connection)
        case .reply(let status, let body, let headers):
            var head = "HTTP/1.1 \(status) X\r\n"
            if status != 204 { head += "Content-Length: \(body.utf8.count)\r\n" }
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            let bytes = Array((head + "\r\n" + body).utf8)
            // MSG_NOSIGNAL: the client may be gone.
            return bytes.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, 0x4000) == $0.count
            }
        }
    }
}
