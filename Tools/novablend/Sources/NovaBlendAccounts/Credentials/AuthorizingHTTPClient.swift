package import Networking

/// Adds a token to requests to the configured servers, and to no others (RFC 6750).
///
/// After a 401, the request is sent once more if a different token is available. That is safe,
/// because the server has not processed the rejected request.
package struct AuthorizingHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let tokens: TokenSource
    /// The origins that may receive tokens.
    private let origins: Set<Origin>

    /// Sends through `client`. Only those of `origins` receive tokens that use HTTPS or are on this
    /// machine.
    package init(_ client: any HTTPClient, tokens: TokenSource, origins: Set<Origin>) {
        self.client = client
        self.tokens = tokens
        self.origins = origins.filter(\.isConfidential)
    }

    package func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard isTrusted(request.url) else { return try await client.send(request) }
        let token = try await currentToken()
        let response = try await client.send(request.authorized(by: token))
        // If the response comes from a different server after a redirect, it did not see the token.
        guard response.status == 401, isTrusted(response.url),
            let new = try? await tokens.replacement(for: token)
        else { return response }
        return try await client.send(request.authorized(by: new))
    }

    private func isTrusted(_ url: String) -> Bool { Origin(url).map(origins.contains) ?? false }

    private func currentToken() async throws(HTTPClientError) -> BearerToken {
        let token: BearerToken?
        do throws(CredentialError) {
            token = try await tokens.token()
        } catch {
            throw HTTPClientError(.noCredentials, detail: error.description)
        }
        guard let token else { throw HTTPClientError(.cancelled) }
        return token
    }
}

extension HTTPRequest {
    fileprivate func authorized(by token: BearerToken) -> HTTPRequest {
        var request = self
        request.headers["Authorization"] = "Bearer \(token.secret)"
        return request
    }
}
