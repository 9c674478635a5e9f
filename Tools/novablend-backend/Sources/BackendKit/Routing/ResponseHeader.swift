/// A header field that responses of a route have.
enum ResponseHeader: String, Sendable, CaseIterable {
    case entityTag = "ETag"
    case location = "Location"
    case link = "Link"
    case changesCursor = "Changes-Cursor"
    case retryAfter = "Retry-After"
    case allow = "Allow"
    case challenge = "WWW-Authenticate"
    case acceptedCodings = "Accept-Encoding"

    /// The meaning of the field, in one sentence.
    var summary: String {
        switch self {
        case .entityTag: "The version, for If-Match and If-None-Match (RFC 9110, section 8.8.3)."
        case .location: "The URL of the new resource, relative to the URL of the request."
        case .link:
            "The URL of the next page, relative to the URL of the request, with rel=\"next\" (RFC "
                + "8288). The last page has no such link."
        case .changesCursor:
            "The `since` with which /changes returns what has changed in the list since this response. "
                + "Only the first page has one."
        case .retryAfter: "The number of seconds after which to repeat the request."
        case .allow: "The methods that the path supports."
        case .challenge: "That a token is required, or what is wrong with it (RFC 6750, section 3)."
        case .acceptedCodings:
            "The codings that bodies may have, if the reason is the Content-Encoding of the request (RFC "
                + "9110, section 12.5.3)."
        }
    }

    /// Whether a response always has it.
    var isRequired: Bool {
        ![.link, .changesCursor, .retryAfter, .acceptedCodings].contains(self)
    }
}
