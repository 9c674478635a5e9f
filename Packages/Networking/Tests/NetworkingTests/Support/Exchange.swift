import Foundation

/// A request, and a way to send a response byte by byte.
struct Exchange: Sendable {
    let connection: Connection
    let request: String

    var path: String { String(request.split(separator: " ")[1]) }

    /// The value of a header field of the request.
    func field(_ name: String) -> String? {
        let parts = request.components(separatedBy: "\r\n\(name): ").dropFirst()
        return parts.first?.components(separatedBy: "\r\n").first
    }

    /// Sends exactly this text; false if the client has closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = Glibc.send(
                connection.descriptor,
                Array(bytes[sent...]),
                bytes.count - sent,
                Int32(MSG_NOSIGNAL)
            )
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    func reply(_ status: String, headers: [String] = [], body: String = "") {
        let fields = headers.map { $0 + "\r\n" }.joined()
        send("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Sends one byte every 20 ms until the client closes the connection.
    func drip(_ text: String) {
        for byte in text.utf8 {
            guard send([byte]) else { return }
            usleep(20_000)
        }
    }

    /// Sends the same bytes until the client closes the connection, and calls `didSend` after each
    /// time. Calls `ifBlocked` whenever the client has received nothing for 0.2 s.
    func sendForever(_ bytes: [UInt8], ifBlocked: () -> Void, didSend: () -> Void) {
        var entry = pollfd(fd: connection.descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            while poll(&entry, 1, 200) == 0 { ifBlocked() }
            guard send(bytes) else { return }
            didSend()
        }
    }

    /// Returns when the client has closed its end.
    func waitForClose() { while connection.read() != nil {} }

    /// Closes the connection after this exchange.
    func end() { connection.end() }

    /// Resets the connection after this exchange.
    func reset() { connection.reset() }
}
