import NovaBlendAccounts

/// Checks that the configured source has a token.
struct TokenCheck {
    let source: Credentials.Token?
    let tokens: TokenSource?

    /// Gets the token, which may run the configured command.
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
