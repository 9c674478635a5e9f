/// The links in the `Link` header fields of a response (RFC 8288, section 3).
public struct HTTPLinks: Sendable, Hashable {
    /// The valid links, in order.
    public private(set) var all: [HTTPLink] = []
    /// Whether a part of a field is not a valid link. The other links are still in ``all``.
    public private(set) var areMalformed = false

    /// Parses all `Link` fields of `headers`.
    public init(_ headers: HTTPHeaders) {
        for value in headers.values(of: "Link") {
            var parser = LinkParser(value)
            parser.parse()
            all += parser.links
            areMalformed = areMalformed || parser.isMalformed
        }
    }

    /// The target of the first link from the response itself with the relation type `relation`,
    /// which is case-insensitive. Links with an `anchor` have a different context and do not count.
    public func target(_ relation: String) -> String? {
        let relation = relation.lowercased()
        return all.first { $0.anchor == nil && $0.relations.contains(relation) }?.target
    }
}

/// A link in a `Link` header field (RFC 8288, section 3).
public struct HTTPLink: Sendable, Hashable {
    /// The target as it was written, which may be relative; see ``HTTPResponse/resolve(_:)``.
    public var target: String
    /// The relation types in lowercase, such as `next`; empty if the link states none.
    public var relations: [String] = []
    /// The context of the link, as it was written; nil if the context is the response itself.
    public var anchor: String?

    init(target: String) { self.target = target }
}

extension HTTPResponse {
    /// The absolute URL of `reference`, which may be relative to the URL of this response (RFC 3986,
    /// section 5). It has no fragment, because fragments are not sent.
    ///
    /// Returns nil if the result is not a valid http or https URL, or contains a user name or
    /// password. Throws `libraryMissing` if libcurl, which parses URLs, cannot be loaded.
    public func resolve(_ reference: String) throws(HTTPClientError) -> String? {
        try CurlLibrary.loadIfNeeded()
        let base = Self.withoutFragment(url)
        let reference = Self.withoutFragment(reference)
        // libcurl would read another scheme as a relative path.
        let rest = reference.utf8.drop { !":/?".utf8.contains($0) }
        if rest.first == UInt8(ascii: ":"), !rest.starts(with: "://".utf8) { return nil }
        let parsed = CurlURL(base)
        guard let target = reference.isEmpty ? parsed : parsed?.resolving(reference),
            target.isHTTP, !target.hasUserInfo
        else { return nil }
        return target.text
    }

    private static func withoutFragment(_ url: String) -> String {
        String(decoding: url.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }
}
