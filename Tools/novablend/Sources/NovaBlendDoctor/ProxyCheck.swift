import Glibc
import NovaBlendAccounts
import NovaBlendConfiguration

/// Reports the proxy that requests use.
struct ProxyCheck {
    let proxy: Configuration.Proxy

    private static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
        "NO_PROXY",
    ]

    var finding: Finding {
        switch proxy {
        case .none: return Finding("proxy", .ok, "none is configured")
        case .url(let url):
            return Finding("proxy", .ok, "requests go through \(URLParts.withoutSecrets(url))")
        case .environment:
            // Only the names are shown, because the values may contain passwords.
            let set = Self.variables.filter { getenv($0) != nil }
            guard !set.isEmpty else {
                return Finding(
                    "proxy",
                    .warn,
                    "no environment variable names a proxy",
                    advice: "set https_proxy, or use --proxy URL"
                )
            }
            return Finding("proxy", .ok, "from the environment: \(set.joined(separator: ", "))")
        }
    }
}
