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
    /// server the circuit breaker rejects further lookups, and each takes at most half of the time that
    /// the call has left.
    package let lookup: any HTTPClient
    /// Requests what a call can do without, such as free times before a booking: each request takes at
    /// most half of the time that the call has left.
    package let optional: any HTTPClient
    /// Requests the feed of changes, which a call can do without, once. A failure of the feed must not be
    /// repeated, or counted by the circuit breaker of the lists.
    package let feed: any HTTPClient
    /// Waits for changes at a server that may be silent for almost a minute.
    package let waiter: any HTTPClient
    /// The source of the tokens; nil if no token is sent.
    package let tokens: TokenSource?

    package init(_ configuration: Configuration) {
        var limits = HTTPLimits()
        limits.maximumBodyBytes = max(configuration.maximumResponseBytes, limits.maximumBodyBytes)
        limits.stallTimeout = configuration.callTimeout
        tokens = TokenSource(configuration.credentials)
        let curl = configuration.makeCurlClient(limits)
        // Within the client that adds tokens, so that a token command does not count.
        let client = configuration.authorizing(BudgetedHTTPClient(curl), tokens)
        sender = client
        reader = CircuitBreakingHTTPClient(Self.makeRetrying(client))
        images = CoalescingHTTPClient(CircuitBreakingHTTPClient(Self.makeRetrying(client)))
        prompt = Self.makeRetrying(client)
        let half = configuration.authorizing(BudgetedHTTPClient(curl, share: 0.5), tokens)
        feed = half
        optional = Self.makeRetrying(half)
        var policy = CircuitBreakerPolicy()
        policy.failuresToOpen = 1
        lookup = CircuitBreakingHTTPClient(Self.makeRetrying(half), policy: policy)
        limits.stallTimeout = .seconds(50)
        waiter = configuration.makeHTTPClient(tokens: tokens, limits: limits)
    }

    /// Creates a client that retries failed requests after short delays, because a caller waits.
    private static func makeRetrying(_ client: any HTTPClient) -> RetryingHTTPClient {
        var policy = RetryPolicy()
        policy.firstDelay = .milliseconds(50)
        policy.maximumDelay = .milliseconds(400)
        return RetryingHTTPClient(client, policy: policy, clock: BudgetedRetryClock())
    }
}

extension Configuration {
    /// Creates an HTTP client with the configured certificates, proxy, and credentials. It gets
    /// tokens from `tokens`; nil sends none.
    package func makeHTTPClient(tokens: TokenSource?, limits: HTTPLimits) -> any HTTPClient {
        authorizing(makeCurlClient(limits), tokens)
    }

    fileprivate func authorizing(
        _ client: any HTTPClient,
        _ tokens: TokenSource?
    ) -> any HTTPClient {
        TrustedOriginHTTPClient(
            client,
            tokens: tokens,
            trusts: { [endpoints] in endpoints.contain($0) },
            provesRejection: \.isContractError
        )
    }

    fileprivate func makeCurlClient(_ limits: HTTPLimits) -> CurlHTTPClient {
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
        return CurlHTTPClient(configuration: options)
    }
}
