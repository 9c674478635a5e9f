import Glibc
import SystemTestSupport

extension TCPConnection {
    /// Sends a GET request without a body.
    func get(_ path: String) { send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n") }

    /// The header of the next response, which has no body; nil if the server closes the connection
    /// before.
    func head() -> String? {
        next { bytes in
            guard let blank = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            defer { bytes.removeFirst(blank.upperBound) }
            return String(decoding: bytes[..<blank.lowerBound], as: UTF8.self)
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
}
