import HTTPServing
import WebPrimitives

extension ServerResponse {
    /// A response with an entity tag and, if there is a body, its `Content-Type` for JSON.
    init(status: Int = 200, json body: [UInt8], tag: EntityTag? = nil) {
        self.init(status: status, body: body)
        if let tag { headers["ETag"] = tag.description }
    }

    /// The response to a GET or HEAD request with an `ETag`, by default a hash of its body and of the
    /// link to the next page: a cached last page is outdated once another page follows.
    /// Evaluates the conditions of the request in the order of RFC 9110, section 13.2.2: 412 if
    /// `If-Match` is not met, and 304 without a body if `If-None-Match` names the response.
    func conditional(on request: ServerRequest) throws(Problem) -> ServerResponse {
        guard status == 200, request.method == "GET" || request.method == "HEAD" else {
            return self
        }
        var response = self
        let tag = entityTag ?? EntityTag(opaque: String(contentHash, radix: 16))
        response.headers["ETag"] = tag.description
        if let expected = EntityTagList(request.headers.values(of: "If-Match")),
            !expected.matchesStrongly(tag)
        {
            throw Problem(.versionConflict, "If-Match does not contain the current version")
        }
        if let known = EntityTagList(request.headers.values(of: "If-None-Match")),
            known.matchesWeakly(tag)
        {
            (response.status, response.body) = (304, [])
        }
        return response
    }

    private var entityTag: EntityTag? { headers["ETag"].flatMap { EntityTag($0) } }

    private var contentHash: UInt64 {
        FNV1a.fastHash(body) ^ (headers["Link"].map { FNV1a.hash($0.utf8) } ?? 0)
    }
}
