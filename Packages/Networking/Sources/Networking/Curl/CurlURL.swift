import NovaBlendCurl

/// A URL, parsed by libcurl, so that checks and requests agree on its meaning.
struct CurlURL: ~Copyable {
    private let handle: OpaquePointer

    init?(_ text: String) {
        guard Self.isPrintable(text), let handle = nb_curl_url() else { return nil }
        guard nb_curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else {
            nb_curl_url_cleanup(handle)
            return nil
        }
        self.handle = handle
    }

    deinit { nb_curl_url_cleanup(handle) }

    /// Whether a text contains neither spaces nor control characters.
    static func isPrintable(_ text: String) -> Bool {
        !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
    }

    var scheme: String? { part(CURLUPART_SCHEME) }
    var isHTTP: Bool { scheme == "http" || scheme == "https" }
    /// Whether the URL contains a user name or a password (RFC 3986, section 3.2.1).
    var hasUserInfo: Bool { part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil }
    var text: String? { part(CURLUPART_URL) }

    /// The scheme, host, and port of the URL.
    var origin: String {
        let port = part(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)) ?? ""
        // Lowercase only ASCII letters: a different host must not become equal to this one.
        let host = (part(CURLUPART_HOST) ?? "").utf8.map(\.lowercased)
        return "\(scheme ?? "")://\(String(decoding: host, as: UTF8.self)):\(port)"
    }

    /// Resolves a reference, which may be relative or have a scheme that libcurl does not know.
    func resolving(_ reference: String) -> CurlURL? {
        let flags = UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
        guard let text, let copy = CurlURL(text),
            !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            nb_curl_url_set(copy.handle, CURLUPART_URL, reference, flags) == CURLUE_OK
        else { return nil }
        return copy
    }

    private func part(_ part: CURLUPart, flags: UInt32 = 0) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard nb_curl_url_get(handle, part, &value, flags) == CURLUE_OK, let value else {
            return nil
        }
        defer { nb_curl_free(value) }
        return String(cString: value)
    }
}
