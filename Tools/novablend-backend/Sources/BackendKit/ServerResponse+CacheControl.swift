import HTTPServing

extension ServerResponse {
    /// The response with a `Cache-Control` field (RFC 9111, section 5.2.2).
    ///
    /// Caches must not store personal data. They must not store errors, either; without the field
    /// they may store some. They may store all other responses and must revalidate them before each
    /// use.
    func cacheControlled(for request: ServerRequest) -> ServerResponse {
        let isStorable = (status == 200 || status == 304) && !request.isPersonal
        var response = self
        response.headers["Cache-Control"] = isStorable ? "no-cache" : "no-store"
        return response
    }
}

extension ServerRequest {
    private static let personal: Set<Substring> = ["appointments", "idempotency-keys"]

    /// Whether the response contains personal data or concerns a customer's keys.
    fileprivate var isPersonal: Bool {
        path.split(separator: "/").first.map(Self.personal.contains) ?? false
    }
}
