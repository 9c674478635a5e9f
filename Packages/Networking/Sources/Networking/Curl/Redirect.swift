/// What to do about a redirect (RFC 9110, section 15.4).
enum Redirect {
    /// What must not reach another origin: credentials, and what names this one.
    private static let bound = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]

    /// The request that follows `response`; nil when it is the answer.
    ///
    /// Only requests that read are repeated elsewhere. Credentials do not cross origins, and https
    /// is never left. A target with user info is refused (RFC 9110, section 4.2.4).
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
            for name in bound { next.headers.remove(name) }
            next.presentsClientCertificate = false
        }
        return next
    }
}
