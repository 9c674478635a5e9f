import Foundation

extension LoopbackServer {
    /// A request, and a way to send a response byte by byte.
    public struct Exchange: Sendable {
        let connection: Connection
        /// The request as it arrived: the head, the empty line, and the body.
        public let request: String
        /// The number of earlier requests on the same connection.
        public let position: Int
    }
}

extension LoopbackServer.Exchange {
    /// The request line, the header fields, and the empty line.
    public var head: String { part { $0[..<$1] } }

    /// The body of the request.
    public var body: String { part { $0[$1...] } }

    private func part(_ split: (Substring.UTF8View, String.Index) -> Substring.UTF8View) -> String {
        let bytes = request[...].utf8
        let end = bytes.firstRange(of: "\r\n\r\n".utf8)?.upperBound ?? bytes.endIndex
        return String(split(bytes, end)) ?? ""
    }

    /// The path and the query of the request.
    public var path: String { String(request.split(separator: " ")[1]) }

    /// The value of a header field of the request.
    public func field(_ name: String) -> String? {
        let parts = request.components(separatedBy: "\r\n\(name): ").dropFirst()
        return parts.first?.components(separatedBy: "\r\n").first
    }

    /// Sends exactly this text; false if the client has closed the connection.
    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends exactly these bytes; false if the client has closed the connection.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        SocketOutput.send(bytes, to: connection.descriptor)
    }

    /// Sends a response with its `Content-Length`. `status` is a code and a reason, such as
    /// `200 OK`; `headers` are lines such as `ETag: "a"`.
    public func reply(_ status: String, headers: [String] = [], body: String = "") {
        let fields = headers.map { $0 + "\r\n" }.joined()
        send("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Sends a text, one byte every 20 ms. Stops if the client closes the connection.
    public func drip(_ text: String) {
        for byte in text.utf8 {
            guard send([byte]) else { return }
            usleep(20_000)
        }
    }

    /// Sends the same bytes until the client closes the connection, and calls `didSend` after each
    /// time. Calls `ifBlocked` whenever the client has received nothing for 0.2 s.
    public func sendForever(_ bytes: [UInt8], ifBlocked: () -> Void, didSend: () -> Void) {
        var entry = pollfd(fd: connection.descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            while poll(&entry, 1, 200) == 0 { ifBlocked() }
            guard send(bytes) else { return }
            didSend()
        }
    }

    /// The next bytes of the client; nil if it has closed its end.
    public func read() -> [UInt8]? { connection.read() }

    /// Returns whether the client has closed its end, or closes it within some milliseconds.
    public func isClosed(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0 && read() == nil
    }

    /// Returns when the client has closed its end.
    public func waitForClose() { while read() != nil {} }

    /// Closes the connection after this exchange.
    public func end() { connection.end() }

    /// Resets the connection after this exchange.
    public func reset() { connection.reset() }
}
