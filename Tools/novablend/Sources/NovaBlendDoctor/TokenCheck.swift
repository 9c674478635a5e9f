import NovaBlendAccounts

/// Checks that the configured source provides a token.
struct TokenCheck {
    let source: Credentials.Token?
    let tokens: TokenSource?

    /// Gets the token. This runs the configured command, if any.
    func examine() async -> Finding {
        guard let source, let tokens else { return Finding("token", .ok, "none is configured") }
        do throws(CredentialError) {
            _ = try await tokens.token()
            return Finding("token", .ok, "from \(source.source)")
        } catch {
            return Finding("token", .fail, error.description, advice: error.advice)
        }
    }
}
