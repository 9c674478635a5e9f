import Foundation

/// A connection to a server on this machine, for many requests without a client.
final class HTTPConnection {
    private let descriptor: Int32

    init(port: String) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = (UInt16(port) ?? 0).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// The head of the response; nil if the server closed the connection.
    func post(_ body: String, to path: String) -> String? {
        let fields = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return exchange("POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\(body)")
    }

    /// The head of the response; nil if the server closed the connection.
    func get(_ path: String) -> String? {
        exchange("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }

    private func exchange(_ request: String) -> String? {
        let bytes = Array(request.utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            return nil
        }
        // A response has the same form as a request: a head, and a body of a known length.
        return ScriptedServer.readRequest(descriptor)?.head
    }
}
