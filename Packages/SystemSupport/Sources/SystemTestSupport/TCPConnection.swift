import Foundation
import Synchronization

/// A TCP connection to a server on this machine, on which a test sends any bytes. Its calls block, for
/// at most a minute each, so that a test whose response never arrives fails.
public final class TCPConnection: Sendable {
    /// The descriptor of the socket.
    public let descriptor: Int32
    private let received = Mutex<[UInt8]>([])

    /// Opens a socket that is not yet connected. `receiveBufferBytes` is `SO_RCVBUF` of socket(7).
    public init(isIPv6: Bool = false, receiveBufferBytes: Int32? = nil) {
        descriptor = Loopback.socket(isIPv6: isIPv6)
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, size)
        }
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
        }
    }

    /// Connects to 127.0.0.1 or, if `isIPv6`, to ::1.
    public convenience init(
        port: UInt16,
        isIPv6: Bool = false,
        receiveBufferBytes: Int32? = nil
    ) throws {
        self.init(isIPv6: isIPv6, receiveBufferBytes: receiveBufferBytes)
        try connect(port: port, isIPv6: isIPv6)
    }

    /// Connects to 127.0.0.1 or, if `isIPv6`, to ::1.
    public func connect(port: UInt16, isIPv6: Bool = false) throws {
        try Loopback.connect(descriptor, to: port, isIPv6: isIPv6)
    }

    deinit { close(descriptor) }

    /// Sends the text as it is. Returns false if the server has closed the connection.
    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends the bytes. Returns false if the server has closed the connection.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool { SocketOutput.send(bytes, to: descriptor) }

    /// The next response; nil if the server closes the connection before it is complete, or if
    /// nothing arrives in time.
    public func response() -> ReceivedResponse? { next(ReceivedResponse.takeFirst) }

    /// The first value that `take` removes from the bytes that have arrived. While `take` returns
    /// nil, waits for more bytes. Returns nil if the server closes the connection, or if nothing
    /// arrives in time.
    public func next<Value: Sendable>(_ take: (inout [UInt8]) -> Value?) -> Value? {
        while true {
            if let value = received.withLock({ take(&$0) }) { return value }
            guard receive() else { return nil }
        }
    }

    /// Waits until the server closes the connection. Returns what it has sent and no earlier call
    /// has returned.
    public func remainder() -> String {
        while receive() {}
        return received.withLock { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits until the server has closed the connection. Returns false if it does not do so in time.
    public func isClosedByServer() -> Bool {
        while receive() {}
        return errno != EAGAIN
    }

    /// Waits for bytes. Returns false if the server has closed the connection, or if nothing arrives
    /// in time.
    public func receive(atMost count: Int = 1 << 16) -> Bool {
        errno = 0
        var bytes = [UInt8](repeating: 0, count: count)
        let arrived = recv(descriptor, &bytes, count, 0)
        if arrived > 0 { received.withLock { $0 += bytes[..<arrived] } }
        return arrived > 0
    }
}

/// Writes to sockets.
enum SocketOutput {
    /// Sends all of the bytes. Returns false if the other end has closed the connection.
    static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
