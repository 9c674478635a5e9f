import Glibc

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
