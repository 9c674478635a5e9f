import Foundation

/// A server that sends the first part of a file, and the rest if a later request asks for it.
final class InterruptingServer: Sendable {
    let port: UInt16
    private let listener: Int32

    /// With `closes`, closes a connection after the first part. Otherwise, the client has to.
    init(first: String, rest: String, closes: Bool = true) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
        let total = first.utf8.count + rest.utf8.count
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                let isRest = Self.readHead(connection).contains(
                    "Range: bytes=\(first.utf8.count)-\r\n"
                )
                let range = "Content-Range: bytes \(first.utf8.count)-\(total - 1)/\(total)\r\n"
                let text =
                    isRest
                    ? "HTTP/1.1 206 Partial Content\r\n\(range)Content-Length: \(rest.utf8.count)\r\n"
                    : "HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n"
                let response = text + "ETag: \"a\"\r\n\r\n" + (isRest ? rest : first)
                send(connection, response, response.utf8.count, Int32(MSG_NOSIGNAL))
                // Empty when the client closes the connection.
                if !closes, !isRest { _ = Self.readHead(connection) }
                close(connection)
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func readHead(_ connection: Int32) -> String {
        var (head, buffer) = ("", [UInt8](repeating: 0, count: 4_096))
        while !head.hasSuffix("\r\n\r\n") {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { break }
            head += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return head
    }
}
