/// A client on libcurl's multi interface: callers send, and one thread of its own waits.
///
/// Connections are kept and shared. Certificates are verified, TLS is 1.2 or newer, and a proxy is
/// used only when configured. How many requests are under way at once is the caller's to limit.
public final class CurlHTTPClient: HTTPClient {
    /// How a client behaves.
    public struct Configuration: Sendable, Hashable {
        /// What it puts up with.
        public var limits = HTTPLimits()
        /// A file of authorities to trust, in PEM, in place of the system's. Together with
        /// ``certificateDirectory``, both are trusted. They also hold for an HTTPS proxy.
        public var certificateFile: String?
        /// A directory of authorities to trust, as `openssl rehash` prepares it, in place of the
        /// system's.
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

        /// Makes the configuration named above.
        public init() {}
    }

    private let configuration: Configuration
    private let library: String
    private let isUserAgentValid: Bool
    let loop: CurlLoop

    /// Makes a client. Its thread and libcurl are there from the first request on: one that finds
    /// no libcurl throws `libraryMissing`.
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

    /// Ends all transfers with `closed`, and the thread.
    public func close() { loop.close() }

    /// See ``HTTPClient/send(_:)``. A redirect is followed for GET and HEAD alone.
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
            // The request that was redirected has left.
            error.mayHaveBeenSent = true
            throw error
        }
    }
}
