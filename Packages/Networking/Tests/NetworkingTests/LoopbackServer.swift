import Foundation
import Synchronization

/// A server on a real socket that does what a test says, well or badly.
final class LoopbackServer: Sendable {
    /// One connection's request, and a way to answer it byte by byte.
    struct Exchange: Sendable {
        let descriptor: Int32
        let request: String

        /// Sends as it is; false when the client is gone.
        @discardableResult
        func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        @discardableResult
        func send(_ bytes: [UInt8]) -> Bool {
            Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        }

        func reply(_ status: String, headers: [String] = [], body: String = "") {
            let fields = headers.map { $0 + "\r\n" }.joined()
            send("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        /// Returns when the client has closed its end.
        func waitForClose() {
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) > 0 {}
        }

        /// Makes the close that follows a reset.
        func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor,
                SOL_SOCKET,
                SO_LINGER,
                &option,
                socklen_t(MemoryLayout<linger>.size)
            )
        }
    }

    let port: UInt16
    private let listener: Int32
    private let seen: Seen

    /// What was asked, in the order of arrival.
    var requests: [String] { seen.requests.withLock { $0 } }

    var url: String { "http://127.0.0.1:\(port)" }

    init(_ answer: @escaping @Sendable (Exchange) -> Void) throws {
        let accepting = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(accepting, address, size) == 0 && listen(accepting, 128) == 0
                    && getsockname(accepting, address, &size) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        let seen = Seen()
        self.seen = seen
        listener = accepting
        Thread.detachNewThread {
            while case let connection = accept(accepting, nil, nil), connection >= 0 {
                Thread.detachNewThread { Self.serve(connection, seen, answer) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private final class Seen: Sendable { let requests = Mutex<[String]>([]) }

    private static func serve(
        _ connection: Int32,
        _ seen: Seen,
        _ answer: @Sendable (Exchange) -> Void
    ) {
        defer { close(connection) }
        while let request = readRequest(connection) {
            seen.requests.withLock { $0.append(request) }
            answer(Exchange(descriptor: connection, request: request))
        }
    }

    private static func readRequest(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard read(connection, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
        }
        let head = String(decoding: bytes, as: UTF8.self)
        let length = head.lowercased().split(separator: "content-length: ").dropFirst().first
        let count = length.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        for _ in 0..<count {
            guard read(connection, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
