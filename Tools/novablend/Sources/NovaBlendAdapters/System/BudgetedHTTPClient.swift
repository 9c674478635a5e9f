import Domain
package import Networking
package import WebPrimitives

/// Sends requests within the budget of the call: a request waits for data no longer than the budget
/// allows, and one that fails, or whose response cannot be used, consumes the budget.
package struct BudgetedHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let share: Double

    /// Creates a client that sends requests with `client`. With a `share` below 1, each may take only
    /// that share of what is left of the budget, even if data arrives.
    package init(_ client: any HTTPClient, share: Double = 1) {
        (self.client, self.share) = (client, share)
    }

    package func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard let budget = CallBudget.current else { return try await client.send(request) }
        let share = share * CallBudget.share
        let allowance = budget.remaining * share
        guard allowance > .zero else {
            throw HTTPClientError.noTimeLeft
        }
        var request = request
        request.stallTimeout = min(request.stallTimeout ?? allowance, allowance)
        // The response to a change is short, so its parts are not progress.
        if share < 1 || ![.get, .head].contains(request.method) {
            request.totalTimeout = min(request.totalTimeout, allowance)
        }
        let start = ContinuousClock.now
        do {
            let response = try await client.send(request)
            if !response.isProgress { budget.consume(from: start, to: .now) }
            return response
        } catch {
            budget.consume(from: start, to: .now)
            throw error
        }
    }
}

extension HTTPClientError {
    fileprivate static let noTimeLeft = HTTPClientError(
        .other,
        detail: "earlier requests used up the time of the call"
    )
}

extension HTTPResponse {
    /// Whether the response is what the call waits for.
    fileprivate var isProgress: Bool {
        status == 304 || (200..<300).contains(status) && !isWebPage
    }
}

/// The clock for retries within the budget of the call: a pause consumes it.
package struct BudgetedRetryClock: RetryClock {
    private let clock: any RetryClock

    package init(_ clock: any RetryClock = SystemRetryClock()) { self.clock = clock }

    package var now: ContinuousClock.Instant { clock.now }

    package var date: HTTPDate { clock.date }

    /// Throws immediately if the budget does not allow the pause, so that the request is not retried.
    package func sleep(for duration: Duration) async throws {
        if let budget = CallBudget.current {
            guard duration < budget.remaining else { throw HTTPClientError.noTimeLeft }
            budget.consume(duration)
        }
        try await clock.sleep(for: duration)
    }
}
