import WebPrimitives

/// An HTTP client that uses libcurl's multi interface and one thread of its own.
///
/// Connections are pooled. Certificates are verified, TLS is 1.2 or newer, and a proxy is used only
/// if configured. The number of concurrent requests is not limited: limit the number of tasks.
///
/// Closing the client is optional. When the last reference to it and to its streams is released, its
/// thread ends.
public final class CurlHTTPClient: HTTPClient {
    /// The settings of a client.
    public struct Configuration: Sendable, Hashable {
        /// The limits of sizes, times, and counts.
        public var limits = HTTPLimits()
        /// A PEM file of certificate authorities to trust instead of the system's, also for an
        /// HTTPS proxy. If ``certificateDirectory`` is set as well, the authorities in either are
        /// trusted.
        public var certificateFile: String?
        /// A directory of certificate authorities to trust instead of the system's, as
        /// `openssl rehash` prepares it.
        public var certificateDirectory: String?
        /// A PEM file with the client's certificate for mutual TLS; nil for none. The certificate
        /// is not presented to a different origin after a redirect.
        public var clientCertificateFile: String?
        /// An unencrypted PEM file with the private key; nil if ``clientCertificateFile`` contains
        /// the key.
        public var clientKeyFile: String?
        /// The proxy's URL, which may contain a user name and password; nil for no proxy.
        public var proxy: String?
        /// Whether to use the proxy from the environment (`https_proxy`, `no_proxy`) if ``proxy``
        /// is nil.
        public var usesEnvironmentProxy = false
        /// The `User-Agent` of requests that do not set one; nil for none.
        public var userAgent: String?

        /// Creates the default configuration.
        public init() {}
    }

    private let configuration: Configuration
    private let isUserAgentValid: Bool
    let loop: CurlLoop
    var limits: HTTPLimits { configuration.limits }

    /// Creates a client. The first request loads libcurl and starts the thread, and throws
    /// `libraryMissing` if libcurl is missing or too old.
    ///
    /// - Parameter configuration: The settings.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, library: CurlLibrary.name)
    }

    init(configuration: Configuration, library: String) {
        self.configuration = configuration
        isUserAgentValid =
            configuration.userAgent.map {
                HTTPHeaders(dictionaryLiteral: ("User-Agent", $0)).malformedName == nil
            } ?? true
        loop = CurlLoop(configuration, library: library)
    }

    deinit { loop.close() }

    /// Ends the thread and all transfers immediately. Their requests and all later ones fail with
    /// `closed`.
    public func close() { loop.close() }

    /// See ``HTTPClient/send(_:)``. Cancelling the task ends the transfer. Redirects are followed
    /// for GET and HEAD only.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let deadline = request.deadline(from: .now)
        var chain = RedirectChain(request, limit: limits.maximumRedirects)
        do {
            try checkHeaders(of: request)
            while true {
                let id = loop.makeID()
                let response = try await loop.run(chain.request, id: id, until: deadline)
                guard try chain.follow(response) else { return response }
            }
        } catch {
            throw chain.error(error)
        }
    }

    /// Throws `invalidHeader` if a header could corrupt the request.
    func checkHeaders(of request: HTTPRequest) throws(HTTPClientError) {
        let hasValidAgent = isUserAgentValid || request.headers["User-Agent"] != nil
        if let name = request.headers.malformedName ?? (hasValidAgent ? nil : "User-Agent") {
            throw HTTPClientError(.invalidHeader, detail: name.debugDescription)
        }
    }
}

extension HTTPRequest {
    /// The time at which the whole exchange must be over.
    func deadline(from start: ContinuousClock.Instant) -> ContinuousClock.Instant {
        start + totalTimeout.clamped
    }
}

/// A request and those that it is redirected to (RFC 9110, section 15.4).
///
/// Only GET and HEAD are redirected. Credentials and the trace context do not cross origins. A redirect
/// from https to http, or to a URL with user info (RFC 9110, section 4.2.4), is an error.
struct RedirectChain {
    /// Header fields that must not be sent to a different origin.
    private static let originBoundFields = [
        "Authorization", "Cookie", "Proxy-Authorization", "Host",
        TraceContext.parentField, TraceContext.stateField,
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
        if count > 0 { (error.mayHaveBeenSent, error.hadContact) = (true, true) }
        return error
    }
}
