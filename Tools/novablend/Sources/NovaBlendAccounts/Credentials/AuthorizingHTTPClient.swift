package import Networking

/// Sends a token along with requests to the configured servers, and to no one else (RFC 6750).
///
/// After a 401 the request is sent once more if there is a different token: the server has not
/// processed the rejected request.
package struct AuthorizingHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let tokens: TokenSource
    /// Where tokens may go.
    private let origins: Set<Origin>

    /// Sends through `client`. Tokens go to those of `origins` where no one can read them
    /// in transit.
    package init(_ client: any HTTPClient, tokens: TokenSource, origins: Set<Origin>) {
        self.client = client
        self.tokens = tokens
        self.origins = origins.filter(\.isConfidential)
    }

    package func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard isTrusted(request.url) else { return try await client.send(request) }
        let token = try await currentToken()
        let response = try await client.send(request.authorized(by: token))
        // After a redirect to a different server, the server did not see the token.
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
