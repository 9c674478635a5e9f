import WebPrimitives

/// The parts of an absolute http or https URL (RFC 3986, section 3).
///
/// libcurl also has a parser, but it is not loaded before the first request.
package struct URLParts: Sendable {
    /// The scheme in lowercase.
    let scheme: String
    /// The text before the `@`; nil if the URL has no user info.
    let userInfo: String?
    /// The host in lowercase, with the brackets of an IPv6 address.
    let host: String
    /// The port, by default that of the scheme; nil if it is not a number from 1 to 65535.
    let port: Int?
    let path: String
    /// The query with its question mark, or empty.
    let query: String

    /// Splits a URL; nil if it is not an absolute http or https URL. Bytes are compared, as in
    /// libcurl: a character of Swift may contain a delimiter together with what follows it, so that
    /// a different host would seem to receive the request.
    init?(_ url: String) {
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[(colon + 1)...].starts(with: "//".utf8)
        else { return nil }
        scheme = Self.lowercased(bytes[..<colon])
        guard let defaultPort = Self.defaultPort(scheme) else { return nil }
        let rest = bytes[(colon + "://".utf8.count)...]
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        userInfo = at.map { Self.text(authority[..<$0]) }
        let (name, digits) = Self.split(at.map { authority[($0 + 1)...] } ?? authority)
        guard !name.isEmpty else { return nil }
        host = Self.lowercased(name)
        port = digits.isEmpty ? defaultPort : Self.number(digits)

        let path = rest[authority.endIndex...].prefix { !"?#".utf8.contains($0) }
        let query = rest[path.endIndex...].prefix { $0 != UInt8(ascii: "#") }
        self.path = Self.text(path)
        self.query = Self.text(query)
    }

    static func defaultPort(_ scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// Splits host and port. A colon in brackets belongs to the host.
    private static func split(
        _ location: ArraySlice<UInt8>
    ) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>) {
        let end = location.lastIndex(of: UInt8(ascii: "]")) ?? location.startIndex
        guard let colon = location[end...].lastIndex(of: UInt8(ascii: ":")) else {
            return (location, [])
        }
        return (location[..<colon], location[(colon + 1)...])
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(text(digits)), (1...65_535).contains(port)
        else { return nil }
        return port
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The text with ASCII letters in lower case.
    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The scheme, `user`, and the host, and the port if it is not the scheme's default port.
    private func base(_ user: String = "") -> String {
        let base = "\(scheme)://\(user)\(host)"
        guard let port, port != Self.defaultPort(scheme) else { return base }
        return "\(base):\(port)"
    }

    private var normalized: String {
        base(userInfo.map { "\($0)@" } ?? "") + normalizedPath + query
    }

    private var normalizedPath: String {
        var path = path
        while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return path
    }
}

extension URLParts {
    /// The URL with scheme and host in lowercase, and without a default port, slashes at the end of
    /// the path, and a fragment. URLs that are equal in this form have the same data.
    package static func normalized(_ url: String) -> String {
        URLParts(url)?.normalized ?? url
    }

    /// A text that identifies the normalized URL and contains no secret: the parts that may contain
    /// one are hashed.
    package static func identity(of url: String) -> String {
        let parts = URLParts(url)
        let normalized = parts?.normalized ?? url
        let shown = parts.map { $0.base() + $0.normalizedPath } ?? invalid
        return shown == normalized
            ? shown : "\(shown) \(String(FNV1a.hash(normalized.utf8), radix: 16))"
    }

    /// The URL without the parts that may contain a secret: user info, query, and fragment.
    package static func withoutSecrets(_ url: String) -> String {
        URLParts(url).map { $0.base() + $0.path } ?? invalid
    }

    private static let invalid = "an invalid URL"
}
