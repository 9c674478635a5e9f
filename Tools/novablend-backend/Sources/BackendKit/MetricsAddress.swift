import HTTPServing

/// The address on which the metrics are served. Only this machine can reach it.
public struct MetricsAddress: Sendable, Hashable {
    /// The IP address, or `localhost`.
    public let host: String
    /// The port, or 0 for any free port.
    public let port: UInt16

    /// Parses an address and a port, such as `127.0.0.1:9464` or `[::1]:9464`; nil if the text is
    /// something else or not a loopback address.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let (host, digits) = (text[..<colon], text[text.index(after: colon)...])
        // An IPv6 address without brackets looks the same with and without a port.
        guard !host.contains(":") || host.hasPrefix("["), HTTPServer.isLoopback(String(host)),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
        else { return nil }
        (self.host, self.port) = (String(host), port)
    }
}
