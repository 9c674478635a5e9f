import NovaBlendCurl
import WebPrimitives

/// The server's certificate.
extension Transfer {
    private static let label = "Expire date:"

    /// When the server's certificate expires; nil if the server presented none.
    var certificateExpiry: HTTPDate? {
        var line = nb_curl_get_certificate(easy)
        while let current = line?.pointee {
            let text = current.data.map { String(cString: $0) } ?? ""
            if text.hasPrefix(Self.label) { return Self.date(text.dropFirst(Self.label.count)) }
            line = UnsafePointer(current.next)
        }
        return nil
    }

    /// Parses OpenSSL's format, "Nov  6 08:49:37 2026 GMT", which is that of `asctime` without the
    /// day of the week.
    private static func date(_ text: Substring) -> HTTPDate? {
        guard text.hasSuffix(" GMT") else { return nil }
        return HTTPDate("Day \(text.dropLast(4))", now: HTTPDate(secondsSince1970: 0))
    }
}
