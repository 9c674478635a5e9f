import HTTPServing

/// The checks that prevent pages of other sites from changing data through a user's browser.
extension ServerRequest {
    /// Throws `foreignOrigin` if a browser sends the request for a page of a different host (RFC
    /// 6454). Other clients send no `Origin`. The scheme does not count, because a proxy may add
    /// TLS.
    func rejectForeignOrigin() throws(Problem) {
        guard let origin = headers["Origin"], Self.host(of: origin) != Self.host(of: baseURL)
        else { return }
        throw Problem(.foreignOrigin, "pages of other sites cannot change data")
    }

    /// The host and port of a URL; nil if it has none.
    private static func host(of url: String) -> String? {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[1].isEmpty ? parts[2].lowercased() : nil
    }

    /// Throws `unsupportedMediaType` if the body is declared as something other than JSON.
    func requireJSON() throws(Problem) {
        guard let field = headers["Content-Type"] else { return }
        let type = field.prefix { $0 != ";" }
        let name = type.utf8.filter { $0 != 0x20 && $0 != 0x09 }.map { $0 | 0x20 }
        guard !name.elementsEqual("application/json".utf8) else { return }
        throw Problem(.unsupportedMediaType, "the Content-Type must be application/json")
    }
}
