extension ServerResponse {
    /// The answer with what caches may do with it (RFC 9111, section 5.2.2).
    ///
    /// Nothing about a customer may be stored, and no error, since caches may store some of those
    /// without being told to. Anything else may be stored, but must be revalidated by its tag before
    /// each use.
    func cacheControlled(for request: ServerRequest) -> ServerResponse {
        let isStorable = (status == 200 || status == 304) && !request.isPersonal
        var answer = self
        answer.headers["Cache-Control"] = isStorable ? "no-cache" : "no-store"
        return answer
    }
}

extension ServerRequest {
    private static let personal: Set<Substring> = ["appointments", "idempotency-keys"]

    /// Whether its answer is about a customer.
    fileprivate var isPersonal: Bool {
        path.split(separator: "/").first.map(Self.personal.contains) ?? false
    }
}
