package import Networking
import NovaBlendAccounts

/// The HTTP clients of a configuration, by what waits for their answers.
package struct HTTPClients: Sendable {
    /// Sends bookings and changes, each of them once.
    package let sender: any HTTPClient
    /// Loads lists, for which a cache can stand in.
    package let reader: any HTTPClient
    /// Asks what a booking must know: within 10 s, and with no circuit breaker that could reject it.
    package let prompt: any HTTPClient
    /// Looks up the salons of a booking, which goes on without them: one failure is enough for all
    /// lookups of the booking.
    package let lookup: any HTTPClient

    package init(_ configuration: Configuration) {
        let client = Self.makeClient(configuration)
        sender = BoundedHTTPClient(client, HTTPLimits())
        var limits = HTTPLimits.admitting(configuration.maximumAnswerBytes)
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

    /// Makes a client for which a caller waits while a cache can stand in, so that attempts follow
    /// each other quickly. All of them together may take as long as `limits` allow.
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

    private static func makeClient(_ configuration: Configuration) -> any HTTPClient {
        Transport.makeClient(configuration, tokens: TokenSource(configuration.credentials)) {
            let usual = $0.limits.maximumBodyBytes
            $0.limits = .admitting(max(configuration.maximumAnswerBytes, usual))
        }
    }
}
