import Networking

/// A client of which some requests may ask for less than others: who loads lists may wait for long
/// ones, who books is not to wait longer for that.
struct BoundedHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let limits: HTTPLimits

    /// Of `limits` the length of a body and the time in all hold, unless the client has shorter ones.
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
