/// A request and those that it is redirected to (RFC 9110, section 15.4).
///
/// Only GET and HEAD are redirected. Credentials do not cross origins. A redirect from https to http,
/// or to a URL with user info (RFC 9110, section 4.2.4), is an error.
struct RedirectChain {
    /// Header fields that must not be sent to a different origin.
    private static let originBoundFields = [
        "Authorization", "Cookie", "Proxy-Authorization", "Host",
    ]

    /// The next request to send.
    private(set) var request: HTTPRequest
    private let limit: Int
    private var count = 0

    init(_ request: HTTPRequest, limit: Int) { (self.request, self.limit) = (request, limit) }

    /// Replaces the request by the one that its response redirects to. Returns false if the response
    /// is the final one.
    mutating func follow(_ response: HTTPResponse) throws(HTTPClientError) -> Bool {
        guard [301, 302, 303, 307, 308].contains(response.status),
            request.method.isSafe,
            let location = response.headers["Location"],
            let current = CurlURL(request.url),
            let target = current.resolving(location), let text = target.text
        else { return false }
        guard target.isHTTP, !(current.scheme == "https" && target.scheme == "http"),
            !target.hasUserInfo
        else { throw HTTPClientError(.redirectRejected, mayHaveBeenSent: true) }
        request.url = text
        if current.origin != target.origin {
            guard !request.staysOnOrigin else {
                throw HTTPClientError(
                    .redirectedElsewhere,
                    mayHaveBeenSent: true,
                    detail: target.origin
                )
            }
            for name in Self.originBoundFields { request.headers.remove(name) }
            request.presentsClientCertificate = false
        }
        count += 1
        guard count <= limit else { throw HTTPClientError(.tooManyRedirects(limit: limit)) }
        return true
    }

    /// The error of the current request. The requests that were redirected have been sent.
    func error(_ error: HTTPClientError) -> HTTPClientError {
        var error = error
        if count > 0 { error.mayHaveBeenSent = true }
        return error
    }
}
