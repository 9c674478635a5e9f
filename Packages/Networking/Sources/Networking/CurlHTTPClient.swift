import CCurl
import Glibc
import Synchronization

/// A client on libcurl's multi interface. One thread of its own runs all transfers.
///
/// Connections are kept and shared. Certificates are verified, TLS is 1.2 or newer, and a proxy is
/// used only when configured. The process ignores SIGPIPE from then on.
public final class CurlHTTPClient: HTTPClient {
    /// How a client behaves.
    public struct Configuration: Sendable, Hashable {
        /// What it puts up with.
        public var limits = HTTPLimits()
        /// A file of certificates to trust, in PEM, in place of the system's.
        public var certificateFile: String?
        /// A proxy's URL; nil for none, whatever the environment says.
        public var proxy: String?
        /// The `User-Agent`.
        public var userAgent = "novablend"

        /// Makes the configuration named above.
        public init() {}
    }

    private let configuration: Configuration
    private let loop: CurlLoop
    private let nextID = Atomic<UInt64>(0)

    /// Starts a client; throws `other` when the system has no thread or memory for it.
    public init(configuration: Configuration = Configuration()) throws(HTTPClientError) {
        signal(SIGPIPE, SIG_IGN)
        self.configuration = configuration
        loop = try CurlLoop()
    }

    deinit { loop.close() }

    /// Ends all transfers with `closed`, and the thread.
    public func close() { loop.close() }

    /// See ``HTTPClient/send(_:)``. A redirect is followed for GET and HEAD alone.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard request.headers.areWellFormed else { throw HTTPClientError(.invalidHeader) }
        let limits = configuration.limits
        let start = ContinuousClock.now
        var request = request
        for _ in 0...max(0, limits.maximumRedirects) {
            let spent = (ContinuousClock.now - start) / .milliseconds(1)
            let left = limits.totalMilliseconds - Int(min(spent, 1e9))
            guard left > 0 else { throw HTTPClientError(.timedOut(.total), mayHaveBeenSent: true) }
            let response = try await transfer(request, totalMilliseconds: left)
            guard let next = try Redirect.next(after: response, to: request) else {
                return response
            }
            request = next
        }
        throw HTTPClientError(
            .tooManyRedirects(limit: limits.maximumRedirects),
            mayHaveBeenSent: true
        )
    }

    private func transfer(
        _ request: HTTPRequest,
        totalMilliseconds: Int
    ) async throws(HTTPClientError) -> HTTPResponse {
        guard let url = CurlURL(request.url), url.isHTTP else {
            throw HTTPClientError(.invalidURL)
        }
        let id = nextID.wrappingAdd(1, ordering: .relaxed).newValue
        var configuration = configuration
        configuration.limits.totalMilliseconds = totalMilliseconds
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.submit(
                    CurlLoop.Job(
                        id: id,
                        request: request,
                        configuration: configuration,
                        completion: { continuation.resume(returning: $0) }
                    )
                )
                // A cancel that came before the job was there found nothing to end.
                if Task.isCancelled { loop.cancel(id) }
            }
        } onCancel: {
            loop.cancel(id)
        }
        return try result.get()
    }
}
