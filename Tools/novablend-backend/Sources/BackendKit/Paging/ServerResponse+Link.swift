import HTTPServing

extension ServerResponse {
    /// The response with a link to the next page (RFC 8288). Its URL is relative to the URL of the
    /// request, so it is right behind every proxy.
    func linkingNext(_ query: String?) -> ServerResponse {
        guard let query else { return self }
        var response = self
        response.headers["Link"] = "<?\(query)>; rel=\"next\""
        return response
    }

    /// The response with the position in the feed of changes from which the list is followed.
    func followed(from cursor: String?) -> ServerResponse {
        guard let cursor else { return self }
        var response = self
        response.headers[ResponseHeader.changesCursor.rawValue] = cursor
        return response
    }
}
