extension HTTPResponse {
    /// The absolute URL of `reference`, which may be relative to the URL of this response (RFC 3986,
    /// section 5). It has no fragment, because fragments are not sent.
    ///
    /// Nil if it is not a valid http or https URL, or contains a user name or password. Throws
    /// `libraryMissing` if libcurl, which parses URLs, cannot be loaded.
    public func resolve(_ reference: String) throws(HTTPClientError) -> String? {
        try CurlLibrary.loadIfNeeded()
        let base = String(url.prefix { $0 != "#" })
        let reference = String(reference.prefix { $0 != "#" })
        // libcurl would read another scheme as a relative path.
        let scheme = reference.prefix { !":/?".contains($0) }
        if reference.dropFirst(scheme.count).first == ":",
            !reference.dropFirst(scheme.count).hasPrefix("://")
        {
            return nil
        }
        let parsed = CurlURL(base)
        guard let target = reference.isEmpty ? parsed : parsed?.resolving(reference),
            target.isHTTP, !target.hasUserInfo
        else { return nil }
        return target.text
    }
}
