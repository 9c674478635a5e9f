package import Networking
import NovaBlendAccounts

/// The HTTP clients of a configuration, by purpose. They share one connection pool.
package struct HTTPClients: Sendable {
    /// Sends bookings and changes, each of them once.
    package let sender: any HTTPClient
    /// Loads lists. If it fails, the cache may be used.
    package let reader: any HTTPClient
    /// Loads images. It has its own circuit breaker, because a server may fail to deliver images while
    /// its lists work.
    package let images: any HTTPClient
    /// Requests the data that a booking needs: within 10 s and without a circuit breaker.
    package let prompt: any HTTPClient
    /// Looks up the salon of a booking. A booking can continue without it, so after one failure of the
    /// server the circuit breaker rejects further lookups.
    package let lookup: any HTTPClient

    package init(_ configuration: Configuration) {
        let maximumBytes = configuration.maximumResponseBytes
        let client = configuration.makeHTTPClient(
            tokens: TokenSource(configuration.credentials),
            limits: .admitting(max(maximumBytes, HTTPLimits().maximumBodyBytes))
        )
        sender = BoundedHTTPClient(client, HTTPLimits())
        var limits = HTTPLimits.admitting(maximumBytes)
        func makeBreaking() -> any HTTPClient {
            CoalescingHTTPClient(CircuitBreakingHTTPClient(Self.makeRetrying(client, limits)))
        }
        (reader, images) = (makeBreaking(), makeBreaking())
        limits.totalTimeout = .seconds(10)
        prompt = CoalescingHTTPClient(Self.makeRetrying(client, limits))
        var policy = CircuitBreakerPolicy()
        policy.failuresToOpen = 1
        lookup = CoalescingHTTPClient(
            CircuitBreakingHTTPClient(Self.makeRetrying(client, limits), policy: policy)
        )
    }

    /// Creates a client that retries failed requests after short delays, because a caller waits.
    /// The total timeout of `limits` applies to all attempts together.
    static func makeRetrying(
        _ client: any HTTPClient,
        _ limits: HTTPLimits,
        clock: any RetryClock = SystemRetryClock()
    ) -> RetryingHTTPClient {
        var policy = RetryPolicy()
        policy.firstDelay = .milliseconds(50)
        policy.maximumDelay = .milliseconds(400)
        policy.totalTimeout = limits.totalTimeout
        return RetryingHTTPClient(BoundedHTTPClient(client, limits), policy: policy, clock: clock)
    }
}
