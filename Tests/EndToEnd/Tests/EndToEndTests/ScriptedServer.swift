import Foundation

/// A server on a real socket that returns the response of a closure, and closes each connection.
final class ScriptedServer: Sendable {
    enum Response: Sendable {
        case reply(String, String)
        /// Closes the connection without a response.
        case hangUp
    }

    struct Connection: Sendable {
        let descriptor: Int32
        let request: String
        let body: String

        /// Returns when the client has closed its end.
        func waitForClose() {
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) > 0 {}
        }
    }

    let url: String
    private let listener: Int32

    init(_ respond: @escaping @Sendable (Connection) -> Response) throws {
        let accepting = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(accepting, address, size) == 0 && listen(accepting, 64) == 0
                    && getsockname(accepting, address, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        listener = accepting
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        Thread.detachNewThread { Self.accept(accepting, respond) }
    }

    /// Ends the loop that accepts connections, which closes the socket.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Accepts connections until the socket is shut down, and then closes it. If other code closed it,
    /// its descriptor could be reused by the server of a different test, and this loop would accept the
    /// connections of that server.
    private static func accept(
        _ listener: Int32,
        _ respond: @escaping @Sendable (Connection) -> Response
    ) {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            if connection >= 0 {
                Thread.detachNewThread { serve(connection, respond) }
            } else if errno == EINVAL {
                close(listener)
                return
            }
        }
    }

    private static func serve(_ connection: Int32, _ respond: @Sendable (Connection) -> Response) {
        defer { close(connection) }
        guard let (request, body) = readRequest(connection) else { return }
        let response = respond(Connection(descriptor: connection, request: request, body: body))
        guard case .reply(let status, let body) = response else { return }
        let text =
            "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            + body
        _ = Array(text.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0x4000) }
    }

    /// The head and the body of the next request; nil if the client has closed its end.
    static func readRequest(_ connection: Int32) -> (head: String, body: String)? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard read(connection, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
        }
        let head = String(decoding: bytes, as: UTF8.self)
        let length = head.lowercased().split(separator: "content-length: ").dropFirst().first
        var body: [UInt8] = []
        for _ in 0..<(length.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0) {
            guard read(connection, &byte, 1) == 1 else { return nil }
            body.append(byte)
        }
        return (head, String(decoding: body, as: UTF8.self))
    }
}
