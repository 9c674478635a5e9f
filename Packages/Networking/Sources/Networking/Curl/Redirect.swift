/// How the client follows redirects (RFC 9110, section 15.4).
enum Redirect {
    /// Header fields that must not be sent to a different origin.
    private static let originBoundFields = [
        "Authorization", "Cookie", "Proxy-Authorization", "Host",
    ]

    /// The request that follows the redirect; nil if `response` is final.
    ///
    /// Only GET and HEAD are redirected. Credentials do not cross origins. A redirect from https to
    /// http, or to a URL with user info (RFC 9110, section 4.2.4), is an error.
    static func next(
        after response: HTTPResponse,
        to request: HTTPRequest
    ) throws(HTTPClientError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            request.method.isSafe,
            let location = response.headers["Location"],
            let current = CurlURL(request.url),
            let target = current.resolving(location), let text = target.text
        else { return nil }
        guard target.isHTTP, !(current.scheme == "https" && target.scheme == "http"),
            !target.hasUserInfo
        else { throw HTTPClientError(.redirectRefused, mayHaveBeenSent: true) }
        var next = request
        next.url = text
        if current.origin != target.origin {
            for name in originBoundFields { next.headers.remove(name) }
            next.presentsClientCertificate = false
        }
        return next
    }
}
