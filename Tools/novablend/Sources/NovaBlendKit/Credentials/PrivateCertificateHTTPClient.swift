import Networking

/// Shows the client's certificate to the configured servers, and to no one else: it says who the user
/// is.
struct PrivateCertificateHTTPClient: HTTPClient {
    /// Has the certificate.
    let trusted: any HTTPClient
    /// Has none.
    let untrusted: any HTTPClient
    /// Where the certificate may be shown.
    let origins: Set<Origin>

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let isTrusted = Origin(request.url).map(origins.contains) ?? false
        return try await (isTrusted ? trusted : untrusted).send(request)
    }
}
