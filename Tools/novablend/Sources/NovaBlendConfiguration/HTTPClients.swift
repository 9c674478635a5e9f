package import Networking
package import NovaBlendAccounts
import NovaBlendAdapters
import SystemSupport

/// The HTTP clients of a configuration, by purpose. They share one connection pool, except for the one
/// that waits.
package struct HTTPClients: Sendable {
    /// Sends each request once.
    package let sender: any HTTPClient
    /// Loads lists. If it fails, the cache may be used.
    package let reader: any HTTPClient
    /// Loads images. Equal requests share a response. It has its own circuit breaker, because a server
    /// may fail to deliver images while its lists work.
    package let images: any HTTPClient
    /// Requests the data that a booking needs, without a circuit breaker.
    package let prompt: any HTTPClient
    /// Looks up the salon of a booking. A booking can continue without it, so after one failure of the
    /// server the circuit breaker rejects further lookups.
    package let lookup: any HTTPClient
    /// Waits for changes at a server that may be silent for almost a minute.
    package let waiter: any HTTPClient
    /// The source of the tokens; nil if no token is sent.
    package let tokens: TokenSource?

    package init(_ configuration: Configuration) {
        var limits = HTTPLimits()
        limits.maximumBodyBytes = max(configuration.maximumResponseBytes, limits.maximumBodyBytes)
        tokens = TokenSource(configuration.credentials)
        let client = configuration.makeHTTPClient(tokens: tokens, limits: limits)
        sender = client
        reader = CircuitBreakingHTTPClient(Self.makeRetrying(client))
        images = CoalescingHTTPClient(CircuitBreakingHTTPClient(Self.makeRetrying(client)))
        prompt = Self.makeRetrying(client)
        var policy = CircuitBreakerPolicy()
        policy.failuresToOpen = 1
        lookup = CircuitBreakingHTTPClient(Self.makeRetrying(client), policy: policy)
        limits.stallTimeout = .seconds(50)
        waiter = configuration.makeHTTPClient(tokens: tokens, limits: limits)
    }

    /// Creates a client that retries failed requests after short delays, because a caller waits.
    private static func makeRetrying(_ client: any HTTPClient) -> RetryingHTTPClient {
        var policy = RetryPolicy()
        policy.firstDelay = .milliseconds(50)
        policy.maximumDelay = .milliseconds(400)
        return RetryingHTTPClient(client, policy: policy)
    }
}

extension Configuration {
    /// Creates an HTTP client with the configured certificates, proxy, and credentials. It gets
    /// tokens from `tokens`; nil sends none.
    package func makeHTTPClient(tokens: TokenSource?, limits: HTTPLimits) -> any HTTPClient {
        var options = CurlHTTPClient.Configuration()
        options.limits = limits
        options.certificateFile = certificateFile
        options.certificateDirectory = certificateDirectory
        options.clientCertificateFile = credentials.certificateFile
        options.clientKeyFile = credentials.keyFile
        switch proxy {
        case .none: break
        case .environment: options.usesEnvironmentProxy = true
        case .url(let url): options.proxy = url
        }
        options.userAgent = "novablend/\(BuildStamp.current.version)"
        return TrustedOriginHTTPClient(
            CurlHTTPClient(configuration: options),
            tokens: tokens,
            trusts: { [endpoints] in endpoints.contain($0) },
            provesRejection: \.isContractError
        )
    }
}
