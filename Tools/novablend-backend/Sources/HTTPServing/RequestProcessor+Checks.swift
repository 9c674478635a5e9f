/// The checks of a request before its handler starts.
extension RequestProcessor {
    func endpoint(of head: RequestHead, _ client: Client) throws(Rejection) -> Endpoint {
        let host = head.target.authority ?? head.host ?? authority
        if let previous = client.previous, previous.host == host, head.target.authority == nil {
            return previous.endpoint
        }
        try head.checkHost()
        guard let endpoint = publicAddress.endpoint(head.headers, client, host: host) else {
            throw .malformed("Host is not a host and port")
        }
        if !client.isTrusted { client.previous = (host, endpoint) }
        return endpoint
    }

    /// Why a request is rejected although its syntax is valid; nil if it is not.
    func rejection(of head: RequestHead, from url: BaseURL) -> Rejection? {
        let limit = registry.limits.maximumBodyBytes(of: head.method)
        if case .known(let length) = head.length, length > limit { return .tooLarge(limit: limit) }
        if head.length != .known(0) {
            if !Self.isJSON(head) { return .mediaType }
            if !Self.isUncoded(head) { return .contentCoding }
        }
        return Self.isAllowed(head, from: url) ? nil : .origin
    }

    /// Whether the body is JSON (RFC 9110, section 8.3.1). A body without `Content-Type` counts as
    /// JSON.
    private static func isJSON(_ head: RequestHead) -> Bool {
        let types = head.headers.values(of: "Content-Type")
        guard let type = types.first else { return true }
        var parser = FieldParser(type)
        guard types.count == 1, parser.token()?.equalsIgnoringCase("application") == true,
            parser.take("/"), parser.token()?.equalsIgnoringCase("json") == true
        else { return false }
        parser.skipBlanks()
        return parser.isAtEnd || parser.take(";")
    }

    /// Whether the body is as it was before any coding (RFC 9110, section 8.4).
    private static func isUncoded(_ head: RequestHead) -> Bool {
        let codings = FieldParser.list(head.headers.values(of: "Content-Encoding")) { $0.token() }
        return codings?.allSatisfy { $0.equalsIgnoringCase("identity") } ?? false
    }

    /// Whether the request changes nothing, or does not come from a web page of another host. The
    /// scheme of the origin does not count, because a proxy may add TLS.
    private static func isAllowed(_ head: RequestHead, from url: BaseURL) -> Bool {
        guard let field = head.headers["Origin"] else { return true }
        if ["GET", "HEAD", "OPTIONS"].contains(head.method) { return true }
        guard let origin = BaseURL(field) else { return false }
        return origin.authority == url.authority && origin.prefix.isEmpty
    }
}
