import Glibc

/// The proxies that the environment names, as libcurl reads them.
enum EnvironmentProxy {
    /// Whether there is one for URLs of `scheme`, except for the hosts that `no_proxy` lists.
    ///
    /// libcurl ignores `HTTP_PROXY`, which a CGI client could set by a header.
    static func isSet(for scheme: String) -> Bool {
        var names = ["\(scheme)_proxy", "all_proxy", "ALL_PROXY"]
        if scheme != "http" { names.append("\(scheme.uppercased())_PROXY") }
        return names.contains { name in
            guard let value = getenv(name) else { return false }
            return value.pointee != 0
        }
    }
}
