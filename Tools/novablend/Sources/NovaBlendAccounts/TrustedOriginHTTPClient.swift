package import Networking
package import WebPrimitives

/// Adds a token (RFC 6750) and the trace context of the call to requests to the configured servers,
/// and to no others.
///
/// After a 401, the request is sent once more if a different token is available. That is safe for a
/// request that only reads, and if the response proves that the server rejected the request: a proxy
/// may have sent it after the request was carried out.
package struct TrustedOriginHTTPClient: HTTPClient {
    private let client: any HTTPClient
    /// The source of tokens; nil if no token is sent.
    private let tokens: TokenSource?
    private let trusts: @Sendable (Origin) -> Bool
    private let provesRejection: @Sendable (HTTPResponse) -> Bool

    /// Creates a client that sends requests with `client`. The origins that `trusts` accepts
    /// receive the trace context. Those of them that use HTTPS or are on this machine also receive
    /// tokens. `provesRejection` decides whether a 401 is certainly the server's own.
    package init(
        _ client: any HTTPClient,
        tokens: TokenSource?,
        trusts: @escaping @Sendable (Origin) -> Bool,
        provesRejection: @escaping @Sendable (HTTPResponse) -> Bool = { _ in false }
    ) {
        self.client = client
        self.tokens = tokens
        self.trusts = trusts
        self.provesRejection = provesRejection
    }

    package func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let trace = TraceContext.current
        guard tokens != nil || trace != nil, let origin = trustedOrigin(of: request.url) else {
            return try await client.send(request)
        }
        var request = request
        if let trace { request.trace(in: trace) }
        guard let tokens, origin.isConfidential else { return try await client.send(request) }
        let token = try await currentToken(of: tokens)
        let response = try await client.send(request.authorized(by: token))
        // After a redirect, the response may come from a different server, which has not received
        // the token. The new token serves later requests even if this one is not repeated.
        guard response.status == 401, trustedOrigin(of: response.url)?.isConfidential == true,
            let new = try? await tokens.replacement(for: token),
            [.get, .head].contains(request.method) || provesRejection(response)
        else { return response }
        do {
            return try await client.send(request.authorized(by: new))
        } catch {
            var error = error
            error.hadContact = true
            throw error
        }
    }

    private func trustedOrigin(of url: String) -> Origin? {
        Origin(url).flatMap { trusts($0) ? $0 : nil }
    }

    private func currentToken(
        of tokens: TokenSource
    ) async throws(HTTPClientError) -> BearerToken {
        let token: BearerToken?
        do {
            token = try await tokens.token()
        } catch {
            throw HTTPClientError(.noCredentials, detail: error.description)
        }
        guard let token else { throw HTTPClientError(.cancelled) }
        return token
    }
}

extension TraceContext {
    /// The trace context of the call that the task handles; nil if it has none.
    ///
    /// The trace context is added after equal requests were combined into one, so it does not make
    /// them unequal. The combined request has the trace context of the call that started it.
    @TaskLocal package static var current: TraceContext?
}

extension HTTPRequest {
    fileprivate func authorized(by token: BearerToken) -> HTTPRequest {
        var request = self
        request.headers["Authorization"] = "Bearer \(token.secret)"
        return request
    }

    fileprivate mutating func trace(in context: TraceContext) {
        headers[TraceContext.parentField] = context.parent
        headers[TraceContext.stateField] = context.state
    }
}
