import Domain
import Networking
import NovaBlendAccounts
import NovaBlendAdapters
import NovaBlendConfiguration

/// One request to the remote, for all checks that ask about it.
enum RemoteProbe: Sendable {
    /// No address is known.
    case notConfigured
    /// It answered after so many milliseconds, at that moment by our clock.
    case answered(HTTPResponse, milliseconds: Int, at: Timestamp)
    case failed(HTTPClientError, url: String)

    /// Asks for the salons, once and for at most ten seconds.
    static func ask(_ configuration: Configuration, _ tokens: TokenSource?) async -> RemoteProbe {
        guard let url = configuration.endpoints.salons else { return .notConfigured }
        var limits = HTTPLimits()
        limits.totalTimeout = .seconds(10)
        let client = configuration.makeHTTPClient(tokens: tokens, limits: limits)
        var request = HTTPRequest(.get, url, headers: ["Accept": "application/json"])
        request.wantsCertificateExpiry = true
        let begun = ContinuousClock.now
        do throws(HTTPClientError) {
            let response = try await client.send(request)
            let taken = begun.duration(to: .now) / .milliseconds(1)
            return .answered(response, milliseconds: Int(taken), at: SystemClock().now)
        } catch {
            return .failed(error, url: url)
        }
    }
}
