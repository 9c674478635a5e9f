package import Networking
import NovaBlendAccounts

/// The HTTP clients of a configuration, by purpose. They share one connection pool.
package struct HTTPClients: Sendable {
    /// Sends bookings and changes, each of them once.
    package let sender: any HTTPClient
    /// Loads lists, for which the cache can stand in.
    package let reader: any HTTPClient
    /// Requests what a booking needs: within 10 s, and without a circuit breaker.
    package let prompt: any HTTPClient
    /// Looks up the salons of a booking. A booking goes on without its salon, so after one failure the
    /// circuit breaker rejects the other lookups of the booking.
    package let lookup: any HTTPClient

    package init(_ configuration: Configuration) {
        let maximumBytes = configuration.maximumAnswerBytes
        let client = configuration.makeHTTPClient(
            tokens: TokenSource(configuration.credentials),
            limits: .admitting(max(maximumBytes, HTTPLimits().maximumBodyBytes))
        )
        sender = BoundedHTTPClient(client, HTTPLimits())
        var limits = HTTPLimits.admitting(maximumBytes)
        reader = CoalescingHTTPClient(
            CircuitBreakingHTTPClient(Self.makeRetrying(client, limits))
        )
        limits.totalTimeout = .seconds(10)
        prompt = CoalescingHTTPClient(Self.makeRetrying(client, limits))
        var policy = CircuitBreakerPolicy()
        policy.failuresToOpen = 1
        lookup = CoalescingHTTPClient(
            CircuitBreakingHTTPClient(Self.makeRetrying(client, limits), policy: policy)
        )
    }

    /// Makes a client that repeats failed requests after short delays, since a caller waits. All
    /// attempts together may take as long as `limits` allow.
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
