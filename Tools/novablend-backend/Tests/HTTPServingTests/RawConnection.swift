import Foundation
import Glibc

/// A TCP connection to a server on the loopback interface, on which a test sends any bytes.
final class RawConnection {
    struct ConnectError: Error {}

    let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to 127.0.0.1 or, if `isIPv6`, to ::1.
    convenience init(port: UInt16, isIPv6: Bool = false) throws {
        self.init(isIPv6: isIPv6)
        try connect(port: port, isIPv6: isIPv6)
    }

    /// Opens a socket that is not yet connected.
    init(isIPv6: Bool = false) {
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // A test whose response never arrives fails instead of waiting forever.
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        let timeoutSize = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, timeoutSize)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, timeoutSize)
    }

    func connect(port: UInt16, isIPv6: Bool = false) throws {
        var v4 = sockaddr_in()
        (v4.sin_family, v4.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        v4.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var v6 = sockaddr_in6()
        (v6.sin6_family, v6.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
        v6.sin6_addr = in6addr_loopback
        let status =
            isIPv6
            ? withUnsafeBytes(of: &v6) { connect(descriptor, $0) }
            : withUnsafeBytes(of: &v4) { connect(descriptor, $0) }
        guard status == 0 else { throw ConnectError() }
    }

    private func connect(_ descriptor: Int32, _ address: UnsafeRawBufferPointer) -> Int32 {
        guard let start = address.assumingMemoryBound(to: sockaddr.self).baseAddress else {
            return -1
        }
        return Glibc.connect(descriptor, start, socklen_t(address.count))
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

    /// Sends as much of the text as possible. Returns false if the server has closed the connection.
    func sendWithoutBlocking(_ text: String) -> Bool {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let count = Array(text.utf8).withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
        }
        return count >= 0 || errno == EAGAIN
    }

    /// The header of the next response, which has no body; nil if the server closes the connection
    /// before.
    func head() -> String? {
        while true {
            let text = String(decoding: received, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                received.removeFirst(text[..<end.upperBound].utf8.count)
                return String(text[..<end.lowerBound])
            }
            guard receive() else { return nil }
        }
    }

    /// Sends a GET request without a body.
    func get(_ path: String) { send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n") }

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
