/// A client on the multi interface of libcurl, with one thread of its own.
///
/// Connections are pooled. Certificates are verified, TLS is 1.2 or newer, and a proxy is used only if
/// configured. The number of concurrent requests is not limited.
public final class CurlHTTPClient: HTTPClient {
    /// The settings of a client.
    public struct Configuration: Sendable, Hashable {
        /// Sizes, timeouts, and counts.
        public var limits = HTTPLimits()
        /// A PEM file of certificate authorities to trust instead of the system's. With
        /// ``certificateDirectory``, both are trusted. They also apply to an HTTPS proxy.
        public var certificateFile: String?
        /// A directory of certificate authorities to trust instead of the system's, as
        /// `openssl rehash` prepares it.
        public var certificateDirectory: String?
        /// The client's own certificate for mutual TLS, a PEM file; nil for none. It is not shown to a
        /// different origin after a redirect.
        public var clientCertificateFile: String?
        /// The private key of ``clientCertificateFile``, a PEM file that is not encrypted; nil if that
        /// file contains the key.
        public var clientKeyFile: String?
        /// A proxy's URL, which may contain a user name and password; nil for none.
        public var proxy: String?
        /// Whether, without ``proxy``, the environment names the proxy (`https_proxy`, `no_proxy`).
        public var usesEnvironmentProxy = false
        /// The `User-Agent` of requests that have none; nil sends no such header.
        public var userAgent: String?

        /// Creates the default configuration.
        public init() {}
    }

    private let configuration: Configuration
    private let library: String
    private let isUserAgentValid: Bool
    let loop: CurlLoop

    /// Creates a client. The first request loads libcurl and starts the thread; it throws
    /// `libraryMissing` if there is no libcurl.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, library: CurlLibrary.name)
    }

    init(configuration: Configuration, library: String) {
        self.configuration = configuration
        self.library = library
        isUserAgentValid =
            configuration.userAgent.map {
                HTTPHeaders(dictionaryLiteral: ("User-Agent", $0)).areWellFormed
            } ?? true
        loop = CurlLoop(configuration)
    }

    deinit { loop.close() }

    /// Ends all transfers with `closed`, and the thread. Later requests fail with `closed`.
    public func close() { loop.close() }

    /// See ``HTTPClient/send(_:)``. Redirects are followed for GET and HEAD only.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard request.headers.areWellFormed,
            isUserAgentValid || request.headers["User-Agent"] != nil
        else { throw HTTPClientError(.invalidHeader) }
        try CurlLibrary.bind(library)
        let timeout = min(request.totalTimeout ?? .longest, configuration.limits.totalTimeout)
        let deadline = ContinuousClock.now + timeout.clamped
        let response = try await loop.run(request, until: deadline)
        guard let next = try Redirect.next(after: response, to: request) else { return response }
        return try await follow(next, until: deadline)
    }

    private func follow(
        _ request: HTTPRequest,
        until deadline: ContinuousClock.Instant
    ) async throws(HTTPClientError) -> HTTPResponse {
        let limit = configuration.limits.maximumRedirects
        var request = request
        var redirects = 0
        do throws(HTTPClientError) {
            while true {
                redirects += 1
                guard redirects <= limit else {
                    throw HTTPClientError(.tooManyRedirects(limit: limit))
                }
                let response = try await loop.run(request, until: deadline)
                guard let next = try Redirect.next(after: response, to: request) else {
                    return response
                }
                request = next
            }
        } catch {
            var error = error
            // The redirected request was sent.
            error.mayHaveBeenSent = true
            throw error
        }
    }
}
