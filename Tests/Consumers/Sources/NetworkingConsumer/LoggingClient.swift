import Networking

/// A client that writes a line about each request that another client sends.
struct LoggingClient: HTTPClient {
    let client: any HTTPClient
    let write: @Sendable (String) -> Void

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let (start, name) = (ContinuousClock.now, "\(request.method.rawValue) \(request.url)")
        do {
            let response = try await client.send(request)
            write("\(name): \(response.status) after \(start.duration(to: .now))")
            return response
        } catch {
            write("\(name): \(error) after \(start.duration(to: .now))")
            throw error
        }
    }
}
