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

    /// Ends the thread and all transfers immediately. They and all later requests fail with `closed`.
    public func close() { loop.close() }

    /// See ``HTTPClient/send(_:)``. Cancelling the task ends the transfer. Redirects are followed
    /// for GET and HEAD only.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        try checkHeaders(of: request)
        let timeout = min(request.totalTimeout ?? .longest, limits.totalTimeout)
        let deadline = ContinuousClock.now + timeout.clamped
        var chain = RedirectChain(request, limit: limits.maximumRedirects)
        do throws(HTTPClientError) {
            while true {
                let id = loop.makeID()
                let response = try await loop.run(chain.request, id: id, until: deadline)
                if try !chain.follow(response) { return response }
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
