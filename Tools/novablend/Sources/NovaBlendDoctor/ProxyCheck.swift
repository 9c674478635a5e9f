import Glibc
import NovaBlendAccounts
import NovaBlendConfiguration

/// Reports the proxy for requests.
struct ProxyCheck {
    let proxy: Configuration.Proxy

    private static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
        "NO_PROXY",
    ]

    var finding: Finding {
        switch proxy {
        case .none: return Finding("proxy", .ok, "none is used")
        case .url(let url):
            return Finding("proxy", .ok, "requests go through \(URLParts.withoutSecrets(url))")
        case .environment:
            // Their values may contain passwords.
            let set = Self.variables.filter { getenv($0) != nil }
            guard !set.isEmpty else {
                return Finding(
                    "proxy",
                    .warn,
                    "the environment names none",
                    advice: "set https_proxy, or use --proxy URL"
                )
            }
            return Finding("proxy", .ok, "as the environment says: \(set.joined(separator: ", "))")
        }
    }
}
