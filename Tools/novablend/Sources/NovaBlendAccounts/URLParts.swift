/// The parts of an absolute http or https URL (RFC 3986, section 3).
///
/// libcurl also has a parser, but it is not loaded before the first request.
package struct URLParts: Sendable {
    /// In lowercase.
    let scheme: String
    /// The text before the `@`; nil without user info.
    let userInfo: String?
    /// In lowercase, with the brackets of an IPv6 address.
    let host: String
    /// The scheme's default port if the URL has none; nil if it is not a number from 1 to 65535.
    let port: Int?
    let path: String
    /// The query with its question mark, or empty.
    let query: String
    /// The fragment with its number sign, or empty.
    let fragment: String

    init?(_ url: String) {
        guard let colon = url.firstRange(of: "://") else { return nil }
        scheme = url[..<colon.lowerBound].lowercased()
        guard let defaultPort = Self.defaultPort(scheme) else { return nil }
        let rest = url[colon.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let at = authority.lastIndex(of: "@")
        userInfo = at.map { String(authority[..<$0]) }
        let location = at.map { authority[authority.index(after: $0)...] } ?? authority
        let (name, digits) = Self.split(location)
        guard !name.isEmpty else { return nil }
        host = name.lowercased()
        port = digits.isEmpty ? defaultPort : Self.number(digits)

        let target = rest[authority.endIndex...]
        path = String(target.prefix { $0 != "?" && $0 != "#" })
        let afterPath = target.dropFirst(path.count)
        query = String(afterPath.prefix { $0 != "#" })
        fragment = String(afterPath.dropFirst(query.count))
    }

    static func defaultPort(_ scheme: String) -> Int? { ["http": 80, "https": 443][scheme] }

    /// Splits host and port. A colon in brackets belongs to the host.
    private static func split(_ location: Substring) -> (host: Substring, port: Substring) {
        let end = location.lastIndex(of: "]") ?? location.startIndex
        guard let colon = location[end...].lastIndex(of: ":") else { return (location, "") }
        return (location[..<colon], location[location.index(after: colon)...])
    }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.count <= 5, digits.allSatisfy({ "0"..."9" ~= $0 }), let port = Int(digits),
            (1...65_535).contains(port)
        else { return nil }
        return port
    }

    /// The scheme and the host, and the port if it is not the scheme's default port.
    private var base: String {
        guard let port, port != Self.defaultPort(scheme) else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }
}

extension URLParts {
    /// The URL with scheme and host in lowercase, and without a default port, slashes at the end of
    /// the path, and a fragment. URLs that are equal in this form have the same data.
    package static func normalized(_ url: String) -> String {
        guard let parts = URLParts(url) else { return url }
        var path = parts.path
        while path.hasSuffix("/") { path.removeLast() }
        let user = parts.userInfo.map { "\($0)@" } ?? ""
        let authority = parts.base.replacing("://", with: "://\(user)", maxReplacements: 1)
        return authority + path + parts.query
    }

    /// The URL without the parts that may contain a secret: user info, query, and fragment.
    package static func withoutSecrets(_ url: String) -> String {
        URLParts(url).map { $0.base + $0.path } ?? "an invalid URL"
    }
}
