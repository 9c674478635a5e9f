/// The URL under which clients reach the server: scheme, host, optional port, and optional path
/// prefix, without a slash at the end.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    let scheme: String
    /// The host, and the port if it is not the scheme's default.
    let authority: Authority
    /// Empty, or a path such as `/booking`.
    let prefix: String

    /// The URL.
    public var description: String { "\(scheme)://\(authority)\(prefix)" }

    /// Parses a URL with the scheme `http` or `https`, without user information, query, and
    /// fragment; nil if it is something else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let separator = bytes.firstRange(of: "://".utf8) else { return nil }
        let rest = bytes[separator.upperBound...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        self.init(
            scheme: String(decoding: bytes[..<separator.lowerBound], as: UTF8.self),
            authority: String(decoding: authority, as: UTF8.self),
            prefix: String(decoding: rest[authority.endIndex...], as: UTF8.self)
        )
    }

    init?(scheme: String, authority: String, prefix: String = "") {
        let schemes = [("http", 80), ("https", 443)]
        guard let (scheme, port) = schemes.first(where: { $0.0.equalsIgnoringCase(scheme) }),
            var authority = Authority(authority), let prefix = Self.normalizedPrefix(prefix)
        else { return nil }
        if let sent = authority.port, sent == port { authority.port = nil }
        self.scheme = scheme
        self.authority = authority
        self.prefix = prefix
    }

    /// The path without the prefix. A path that does not begin with the prefix remains as it is,
    /// because many proxies remove the prefix.
    func removingPrefix(from path: String) -> String {
        guard !prefix.isEmpty, path.utf8.starts(with: prefix.utf8) else { return path }
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        guard let first = rest.first else { return "/" }
        return first == UInt8(ascii: "/") ? String(decoding: rest, as: UTF8.self) : path
    }

    /// The prefix without slashes at the end; nil if it is not a path of plain segments.
    private static func normalizedPrefix(_ text: String) -> String? {
        let bytes = text.utf8
        guard bytes.isEmpty || bytes.first == UInt8(ascii: "/"), !bytes.contains("//".utf8) else {
            return nil
        }
        let segments = bytes.split(separator: UInt8(ascii: "/"))
        let isPlain = segments.allSatisfy { segment in
            !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
                && segment.allSatisfy { byte in
                    byte.isDigit || byte.isASCIILetter || "-._~".utf8.contains(byte)
                }
        }
        return isPlain ? segments.map { "/" + String(decoding: $0, as: UTF8.self) }.joined() : nil
    }
}
