/// The URL under which clients reach the server: scheme, host, optional port, and optional path
/// prefix, without a slash at the end.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    let scheme: String
    /// The host, and the port if it is not the scheme's default.
    let authority: String
    /// Empty, or a path such as `/booking`.
    let prefix: String

    /// The URL.
    public var description: String { "\(scheme)://\(authority)\(prefix)" }

    /// Parses a URL with the scheme `http` or `https`, without user information, query, and
    /// fragment; nil if it is something else.
    public init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        let rest = text[separator.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        self.init(
            scheme: String(text[..<separator.lowerBound]),
            authority: String(rest[..<slash]),
            prefix: String(rest[slash...])
        )
    }

    init?(scheme: String, authority: String, prefix: String = "") {
        let scheme = scheme.lowercased()
        guard scheme == "http" || scheme == "https", Self.isAuthority(authority),
            let prefix = Self.normalizedPrefix(prefix)
        else { return nil }
        self.scheme = scheme
        self.authority = Self.withoutDefaultPort(authority.lowercased(), scheme)
        self.prefix = prefix
    }

    /// The path without the prefix. A path that does not begin with the prefix remains as it is,
    /// because many proxies remove the prefix.
    func removingPrefix(from path: String) -> String {
        guard !prefix.isEmpty, path.hasPrefix(prefix) else { return path }
        let rest = path.dropFirst(prefix.count)
        if rest.isEmpty { return "/" }
        return rest.hasPrefix("/") ? String(rest) : path
    }

    /// Whether the text is a host with an optional port, and nothing else (RFC 3986, section 3.2).
    static func isAuthority(_ text: String) -> Bool {
        let isBracketed = text.hasPrefix("[")
        let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":")
        guard let end else { return !isBracketed && isName(text[...]) }
        if isBracketed {
            let address = text[text.index(after: text.startIndex)..<end]
            guard address.contains(":"), IPAddress(address) != nil else { return false }
            return isPort(text[text.index(after: end)...])
        }
        return isName(text[..<end]) && isPort(text[end...])
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                $0.isDigit || $0.isASCIILetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                    || $0 == UInt8(ascii: "_")
            }
    }

    /// Whether the text is empty or a port after a colon.
    private static func isPort(_ text: Substring) -> Bool {
        guard text.first == ":" else { return text.isEmpty }
        return text.dropFirst().utf8.allSatisfy(\.isDigit) && UInt16(text.dropFirst()) != nil
    }

    private static func withoutDefaultPort(_ authority: String, _ scheme: String) -> String {
        let port = scheme == "https" ? ":443" : ":80"
        return authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
    }

    /// The prefix without slashes at the end; nil if it is not a path of plain segments.
    private static func normalizedPrefix(_ text: String) -> String? {
        let segments = text.split(separator: "/")
        guard text.isEmpty || text.hasPrefix("/"), !text.contains("//") else { return nil }
        let isPlain = segments.allSatisfy { segment in
            segment != "." && segment != ".."
                && segment.utf8.allSatisfy { byte in
                    byte.isDigit || byte.isASCIILetter || "-._~".utf8.contains(byte)
                }
        }
        return isPlain ? segments.map { "/" + $0 }.joined() : nil
    }
}
