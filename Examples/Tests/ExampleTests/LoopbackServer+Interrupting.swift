import SystemTestSupport

extension LoopbackServer {
    /// Starts a server that sends the first part of a file, and the rest if a later request asks for
    /// it. With `closes`, it closes a connection after the first part. Otherwise, the client has to.
    convenience init(first: String, rest: String, closes: Bool = true) throws {
        let (start, total) = (first.utf8.count, first.utf8.count + rest.utf8.count)
        try self.init { exchange in
            let isRest = exchange.head.contains("Range: bytes=\(start)-\r\n")
            let head =
                isRest
                ? "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(start)-\(total - 1)/\(total)\r\n"
                    + "Content-Length: \(rest.utf8.count)\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n"
            exchange.send(head + "ETag: \"a\"\r\n\r\n" + (isRest ? rest : first))
            if !closes, !isRest { exchange.waitForClose() }
            exchange.end()
        }
    }
}
