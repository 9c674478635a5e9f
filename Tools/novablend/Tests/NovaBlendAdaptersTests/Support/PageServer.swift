import Foundation
import Networking
import Synchronization

/// A server on a real socket that responds as a test specifies, and records the requests.
final class PageServer: Sendable {
    struct Response: Sendable {
        var status = 200
        var headers: [String] = []
        var body = ""
    }

    private let listener: Int32
    private let seen: Seen
    let origin: String

    private final class Seen: Sendable {
        let heads = Mutex<[String]>([])
        let bodies = Mutex<[String]>([])
    }

    /// The heads of the requests in the order of arrival.
    var heads: [String] { seen.heads.withLock(\.self) }
    /// The bodies of the requests in the order of arrival.
    var bodies: [String] { seen.bodies.withLock(\.self) }
    /// The path and query of each request.
    var targets: [String] { heads.map { String($0.split(separator: " ")[1]) } }

    init(_ respond: @escaping @Sendable (_ target: String, _ head: String) -> Response) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        self.listener = listener
        origin = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        let seen = Seen()
        self.seen = seen
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Self.serve(connection, seen, respond)
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(
        _ connection: Int32,
        _ seen: Seen,
        _ respond: (String, String) -> Response
    ) {
        defer { close(connection) }
        var bytes: [UInt8] = []
        func readMore() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(connection, &buffer, buffer.count)
            if count > 0 { bytes += buffer[..<count] }
            return count > 0
        }
        var end: Range<Int>?
        while end == nil {
            guard readMore() else { return }
            end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        }
        let bodyStart = end?.upperBound ?? 0
        let head = String(decoding: bytes[..<bodyStart], as: UTF8.self)
        let length = head.lowercased().split(separator: "content-length: ").dropFirst().first
            .flatMap { Int($0.prefix(while: \.isNumber)) }
        while bytes.count < bodyStart + (length ?? 0) { guard readMore() else { return } }
        seen.heads.withLock { $0.append(head) }
        seen.bodies.withLock { $0.append(String(decoding: bytes[bodyStart...], as: UTF8.self)) }
        let response = respond(String(head.split(separator: " ")[1]), head)
        let fields = response.headers.map { $0 + "\r\n" }.joined()
        let text =
            "HTTP/1.1 \(response.status) X\r\nConnection: close\r\n\(fields)"
            + "Content-Length: \(response.body.utf8.count)\r\n\r\n\(response.body)"
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
