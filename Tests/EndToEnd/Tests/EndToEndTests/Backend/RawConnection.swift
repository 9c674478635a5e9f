import Foundation
import Synchronization

/// A TCP connection to a server on this machine. Its calls block, for at most a minute each.
final class RawConnection: Sendable {
    private let descriptor: Int32
    private let buffer = Mutex(ResponseBuffer())

    /// Returns nil if the connection cannot be established.
    init?(to port: UInt16, receiveBufferBytes: Int32? = nil) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Self.closeOnExec, 0)
        Self.setTimeout(seconds: 60, of: descriptor)
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
        }
        guard Self.connect(descriptor, port) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Limits how long connect(2), send(2), and recv(2) block.
    static func setTimeout(seconds: Int, of descriptor: Int32) {
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, size)
        }
    }

    static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)

    /// Calls connect(2) and returns its result.
    static func connect(_ descriptor: Int32, _ port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Returns false if the server has closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// The next response; nil if the server closes the connection before it is complete, or if
    /// nothing arrives in time.
    func response() -> HTTPResponse? {
        while true {
            if let response = buffer.withLock({ $0.next() }) { return response }
            if !receive() { return nil }
        }
    }

    /// Waits until a response with status 200 has arrived on `count` of the connections, and returns
    /// those. Returns fewer if the others end, or nothing arrives in time.
    static func answered(_ connections: [RawConnection], atLeast count: Int) -> [RawConnection] {
        var (open, answered) = (connections, [RawConnection]())
        while answered.count < count {
            var entries = open.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard !open.isEmpty, poll(&entries, nfds_t(entries.count), 60_000) > 0 else { break }
            let ready = zip(open, entries).filter { $1.revents != 0 }.map(\.0)
            answered += ready.filter { $0.response()?.status == 200 }
            open.removeAll { connection in ready.contains { $0 === connection } }
        }
        return answered
    }

    /// Waits until the server has closed the connection. Returns false if it does not do so in time.
    func isClosedByServer() -> Bool {
        while receive() {}
        return errno != EAGAIN
    }

    /// Waits for the first bytes of a response.
    func hasBegunResponse() -> Bool { !buffer.withLock(\.isEmpty) || receive(atMost: 16) }

    private func receive(atMost count: Int = 1 << 16) -> Bool {
        errno = 0
        var bytes = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &bytes, count, 0)
        if received > 0 { buffer.withLock { $0.append(bytes[..<received]) } }
        return received > 0
    }
}
