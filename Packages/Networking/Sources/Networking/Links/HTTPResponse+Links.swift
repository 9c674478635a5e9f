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
