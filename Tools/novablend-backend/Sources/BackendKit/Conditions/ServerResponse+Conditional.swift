import BookingStorage
import Contract
import HTTPServing
import WebPrimitives

extension ServerResponse {
    /// A response with JSON, its entity tag, and the location of what was created.
    init(status: Int = 200, json body: [UInt8], tag: EntityTag? = nil, location: String? = nil) {
        self.init(status: status, body: body)
        headers["ETag"] = tag?.description
        headers["Location"] = location
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

extension ServerResponse {
    /// The response with a link to the next page (RFC 8288). Its URL is relative to the URL of the
    /// request, so it is right behind every proxy.
    func linkingNext(_ query: String?) -> ServerResponse {
        adding(.link, query.map { "<?\($0)>; rel=\"next\"" })
    }

    /// The response with the position in the feed of changes from which the list is followed.
    func followed(from cursor: String?) -> ServerResponse {
        adding(.changesCursor, cursor)
    }

    private func adding(_ header: ResponseHeader, _ value: String?) -> ServerResponse {
        var response = self
        response.headers[header.rawValue] = value
        return response
    }
}
