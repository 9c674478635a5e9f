import Domain
import Networking
import NovaBlendAccounts
import NovaBlendAdapters
import NovaBlendConfiguration

/// The outcome of one request to the server. Several checks use it.
enum ServerProbe: Sendable {
    /// No URL is configured.
    case notConfigured
    /// The server responded after this number of milliseconds, at this time on this machine's
    /// clock.
    case responded(HTTPResponse, milliseconds: Int, at: Timestamp)
    case failed(HTTPClientError, url: String)

    /// Requests the salons once, with a timeout of ten seconds.
    static func send(_ configuration: Configuration, _ tokens: TokenSource?) async -> ServerProbe {
        guard let url = configuration.endpoints.salons else { return .notConfigured }
        let client = configuration.makeHTTPClient(tokens: tokens, limits: HTTPLimits())
        var request = HTTPRequest(method: .get, url: url, headers: ["Accept": "application/json"])
        request.totalTimeout = .seconds(10)
        request.wantsCertificateExpiry = true
        let start = ContinuousClock.now
        do {
            let response = try await client.send(request)
            let milliseconds = start.duration(to: .now) / .milliseconds(1)
            return .responded(response, milliseconds: Int(milliseconds), at: SystemClock().now)
        } catch {
            return .failed(error, url: url)
        }
    }
}
