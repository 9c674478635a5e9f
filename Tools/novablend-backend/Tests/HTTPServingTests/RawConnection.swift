import Foundation
import Glibc

/// A TCP connection to a server on the loopback interface, on which a test sends any bytes.
final class RawConnection {
    struct ConnectError: Error {}

    private let descriptor: Int32
    private var received: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // A test whose response never arrives fails instead of waiting forever.
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        let timeoutSize = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, timeoutSize)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, size)
            }
        }
        guard status == 0 else { throw ConnectError() }
    }

    deinit { close(descriptor) }

    /// Sends the text as it is. Returns false if the server has closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// The next response with its body, whose length is its `Content-Length`. Nil if the server
    /// closes the connection before that.
    func response() -> RawResponse? {
        while true {
            if let (response, size) = RawResponse.parse(received) {
                received.removeFirst(size)
                return response
            }
            guard receive() else { return nil }
        }
    }

    /// Waits until the server closes the connection and returns what it sent before.
    func remainder() -> String {
        while receive() {}
        return String(decoding: received, as: UTF8.self)
    }

    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return false }
        received += buffer[..<count]
        return true
    }
}

/// A response as it was received.
struct RawResponse {
    var status: Int
    var head: String
    var body: String

    /// The first complete response in the bytes, and its size.
    static func parse(_ bytes: [UInt8]) -> (RawResponse, size: Int)? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound]
        let length = value(of: "content-length", in: head).flatMap { Int($0) } ?? 0
        let start = head.utf8.count + 4
        guard bytes.count >= start + length else { return nil }
        let response = RawResponse(
            status: Int(head.dropFirst(9).prefix(3)) ?? 0,
            head: String(head),
            body: String(decoding: bytes[start..<start + length], as: UTF8.self)
        )
        return (response, start + length)
    }

    /// The value of a header field. `name` must be lowercase.
    func header(_ name: String) -> String? { Self.value(of: name, in: head[...]) }

    private static func value(of name: String, in head: Substring) -> String? {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ": ") }
        return line.map { String($0.dropFirst(name.count + 2)) }
    }
}
