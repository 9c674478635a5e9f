import NovaBlendAccounts

/// Whether there is a token where the configuration says.
struct TokenCheck {
    let source: Credentials.Token?
    let tokens: TokenSource?

    /// Gets the token; a command is run for that.
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
