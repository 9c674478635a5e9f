/// Scheme, host, and port of a URL (RFC 6454, section 4). It determines where credentials may be
/// sent.
///
/// The host is everything between the user info and the port, in lowercase and otherwise unchanged.
/// Two origins are only equal if both URLs spell the host the same way. So a host that another
/// parser would read differently is never mistaken for a configured one.
public struct Origin: Sendable, Hashable {
    let scheme: String
    let host: String
    let port: Int

    /// Reads the origin of an absolute http or https URL; nil for anything else.
    public init?(_ url: String) {
        guard let parts = URLParts(url), let port = parts.port else { return nil }
        (scheme, host) = (parts.scheme, parts.host)
        self.port = port
    }

    /// Whether the host is this machine: 127.0.0.0/8, ::1, or localhost.
    public var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.first == "127"
            && numbers.allSatisfy { number in
                // Check the digits first, because `UInt8` would also accept "+1", which is a name.
                number.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(number) != nil
            }
    }

    /// Whether no one can read requests to this origin in transit: over HTTPS, or to this machine.
    public var isConfidential: Bool { scheme == "https" || isLoopback }
}

extension Origin: CustomStringConvertible {
    /// `https://salons.example`, with the port unless it is the scheme's own.
    public var description: String {
        port == URLParts.defaultPort(scheme)
            ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
