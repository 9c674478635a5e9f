import Glibc
import WebPrimitives

/// Decides which addresses a transfer may connect to, and remembers the decisions.
struct DestinationCheck {
    /// Whether only public addresses are allowed.
    private(set) var isRestricted = false
    private var hasRejected = false
    private var hasAllowed = false

    init() {}

    /// Creates the check for a request to `url`. At the exempt origin, every address is allowed.
    init(_ request: HTTPRequest, to url: borrowing CurlURL) {
        switch request.allowedDestinations {
        case .any: break
        case .publicAddresses(let exempt): isRestricted = CurlURL(exempt)?.origin != url.origin
        }
    }

    /// Whether every address was rejected, so that no connection was attempted.
    var isRejected: Bool { hasRejected && !hasAllowed }

    /// Whether a connection may be made to `address`, which is nil for an address that is not an IP
    /// address.
    mutating func allows(_ address: IPAddress?) -> Bool {
        let isAllowed = !isRestricted || address?.isGlobalUnicast == true
        if isAllowed { hasAllowed = true } else { hasRejected = true }
        return isAllowed
    }
}

/// The proxy settings of the environment, as libcurl reads them.
enum EnvironmentProxy {
    /// Whether the environment sets a proxy for URLs of `scheme`. Ignores exemptions in `no_proxy`.
    ///
    /// libcurl ignores `HTTP_PROXY`, which a CGI client could set with a header.
    static func isSet(
        for scheme: String,
        variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) -> Bool {
        var names = ["\(scheme)_proxy", "all_proxy", "ALL_PROXY"]
        if scheme != "http" { names.append("\(scheme.uppercased())_PROXY") }
        return names.contains { variable($0)?.isEmpty == false }
    }
}
