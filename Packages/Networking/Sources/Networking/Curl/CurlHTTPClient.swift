/// An HTTP client that uses libcurl's multi interface and one thread of its own.
///
/// Connections are pooled. Certificates are verified, TLS is 1.2 or newer, and a proxy is used only
/// if configured. The number of concurrent requests is not limited.
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
    var maximumBodyBytes: Int { configuration.limits.maximumBodyBytes }

    /// Creates a client. The first request loads libcurl and starts the thread, and throws
    /// `libraryMissing` if libcurl is missing or too old.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, library: CurlLibrary.name)
    }

    init(configuration: Configuration, library: String) {
        self.configuration = configuration
        isUserAgentValid =
            configuration.userAgent.map {
                HTTPHeaders(dictionaryLiteral: ("User-Agent", $0)).areWellFormed
            } ?? true
        loop = CurlLoop(configuration, library: library)
    }

    deinit { loop.close() }

    /// Ends the thread and all transfers. They and all later requests fail with `closed`.
    public func close() { loop.close() }

    /// See ``HTTPClient/send(_:)``. Cancelling the task ends the transfer. Redirects are followed
    /// for GET and HEAD only.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        try await exchange(request, upload: nil, isStreamed: false).head
    }

    /// Sends a request and follows redirects. If the response is streamed, its body is empty, and
    /// the buffer receives it.
    nonisolated(nonsending) func exchange(
        _ request: HTTPRequest,
        upload: HTTPUpload?,
        isStreamed: Bool
    ) async throws(HTTPClientError) -> (head: HTTPResponse, body: ResponseBuffer?) {
        guard request.headers.areWellFormed,
            isUserAgentValid || request.headers["User-Agent"] != nil
        else { throw HTTPClientError(.invalidHeader) }
        let overall = configuration.limits.totalTimeout
        let own = request.totalTimeout ?? overall
        let timeout = isStreamed || upload != nil ? own : min(own, overall)
        let deadline = ContinuousClock.now + timeout.clamped
        var request = request
        var redirects = 0
        var source: UploadBuffer?
        do throws(HTTPClientError) {
            while true {
                let id = loop.makeID()
                let buffer = isStreamed ? ResponseBuffer(loop, id: id) : nil
                source = upload.map { UploadBuffer($0, loop, id: id) }
                let response = try await loop.run(
                    request,
                    id: id,
                    until: deadline,
                    response: buffer,
                    upload: source
                )
                guard upload == nil, let next = try redirect(request, response) else {
                    return (response, buffer)
                }
                buffer?.cancel()
                redirects += 1
                let limit = configuration.limits.maximumRedirects
                guard redirects <= limit else {
                    throw HTTPClientError(.tooManyRedirects(limit: limit))
                }
                request = next
            }
        } catch {
            // A transfer that did not start does not end either.
            source?.end()
            var error = error
            // The request that was redirected has been sent.
            if redirects > 0 { error.mayHaveBeenSent = true }
            throw error
        }
    }

    /// Header fields that must not be sent to a different origin.
    private static let originBoundFields = [
        "Authorization", "Cookie", "Proxy-Authorization", "Host",
    ]

    /// The next request of a redirect (RFC 9110, section 15.4); nil if `response` is final.
    ///
    /// Only GET and HEAD are redirected. Credentials do not cross origins. A redirect from https to
    /// http, or to a URL with user info (RFC 9110, section 4.2.4), is an error.
    private func redirect(
        _ request: HTTPRequest,
        _ response: HTTPResponse
    ) throws(HTTPClientError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            request.method.isSafe,
            let location = response.headers["Location"],
            let current = CurlURL(request.url),
            let target = current.resolving(location), let text = target.text
        else { return nil }
        guard target.isHTTP, !(current.scheme == "https" && target.scheme == "http"),
            !target.hasUserInfo
        else { throw HTTPClientError(.redirectRejected, mayHaveBeenSent: true) }
        var next = request
        next.url = text
        if current.origin != target.origin {
            for name in Self.originBoundFields { next.headers.remove(name) }
            next.presentsClientCertificate = false
        }
        return next
    }
}
