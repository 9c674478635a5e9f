import Foundation
import SystemTestSupport

/// A server that passes each connection to a closure, which runs on a thread of its own.
final class RawServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init(_ serve: @escaping @Sendable (_ descriptor: Int32) -> Void) throws {
        let (listener, port) = try Loopback.listen(backlog: 16)
        (self.listener, self.port) = (listener, port)
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                Thread.detachNewThread {
                    serve(descriptor)
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// A SOCKS5 proxy (RFC 1928) that answers each request with this code.
    static func socks(answer code: UInt8) throws -> RawServer {
        try RawServer { descriptor in
            var buffer = [UInt8](repeating: 0, count: 512)
            guard read(descriptor, &buffer, buffer.count) > 0 else { return }
            write(descriptor, [5, 0], 2)
            guard read(descriptor, &buffer, buffer.count) > 0 else { return }
            write(descriptor, [5, code, 0, 1, 0, 0, 0, 0, 0, 0], 10)
            _ = read(descriptor, &buffer, buffer.count)
        }
    }
}

extension LoopbackServer.Exchange {
    /// Accepts a request for a tunnel, and forwards bytes in both directions until one side closes the
    /// connection.
    func tunnel(to port: UInt16) {
        defer { end() }
        guard let server = try? TCPConnection(port: port) else { return }
        send("HTTP/1.1 200 OK\r\n\r\n")
        Thread.detachNewThread {
            while let bytes = server.next({ $0.isEmpty ? nil : Self.takeAll(&$0) }) { send(bytes) }
            reset()
        }
        while let bytes = read(), server.send(bytes) {}
        shutdown(server.descriptor, Int32(SHUT_RDWR))
    }

    private static func takeAll(_ bytes: inout [UInt8]) -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
