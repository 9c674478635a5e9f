import Networking

/// Sends through a client with limits of its own, so that several callers with different limits share
/// one client: large lists may take longer, a booking must not.
struct BoundedHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let limits: HTTPLimits

    /// Applies the maximum body and the total timeout of `limits`, unless the client has lower ones.
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
