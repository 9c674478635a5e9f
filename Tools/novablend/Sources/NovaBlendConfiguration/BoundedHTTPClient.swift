import Networking

/// Applies limits to the requests that go through a shared client. Large lists may take longer; a
/// booking must not.
struct BoundedHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let limits: HTTPLimits

    /// Applies the maximum body size and the total timeout of `limits`, unless a request has lower
    /// ones.
    init(_ client: any HTTPClient, _ limits: HTTPLimits) {
        self.client = client
        self.limits = limits
    }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        var request = request
        let (bytes, time) = (limits.maximumBodyBytes, limits.totalTimeout)
        request.maximumResponseBytes = min(request.maximumResponseBytes ?? bytes, bytes)
        request.totalTimeout = min(request.totalTimeout ?? time, time)
        return try await client.send(request)
    }
}
