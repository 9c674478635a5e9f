import Glibc
import NovaBlendAccounts
import NovaBlendConfiguration

/// Checks that the configured source provides a token.
struct TokenCheck: Check {
    let check = "token"
    let source: Credentials.Token?
    let tokens: TokenSource?

    /// Gets the token. This runs the configured command, if any.
    func examine() async -> Finding {
        guard let source, let tokens else { return ok("none is configured") }
        do {
            _ = try await tokens.token()
            return ok("from \(source.source)")
        } catch {
            return fail(error.description, advice: error.advice)
        }
    }
}

/// Reports the proxy that requests use.
struct ProxyCheck: Check {
    let check = "proxy"
    let proxy: Configuration.Proxy

    private static let exceptions = ["no_proxy", "NO_PROXY"]
    private static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ]

    var finding: Finding {
        switch proxy {
        case .none: return ok("none is configured")
        case .url(let url):
            return ok("requests go through \(URLParts.withoutSecrets(url))")
        case .environment:
            // Only the names are shown, because the values may contain passwords.
            var set = Self.variables.filter { getenv($0) != nil }
            guard !set.isEmpty else {
                return warn(
                    "no environment variable names a proxy",
                    advice: "set https_proxy, or use --proxy URL"
                )
            }
            set += Self.exceptions.filter { getenv($0) != nil }
            return ok("from the environment: \(set.joined(separator: ", "))")
        }
    }
}
