import Glibc

/// The number of files that this process may open.
public enum DescriptorLimit {
    /// Raises the soft limit to the hard limit. Programs that serve many clients call this at their
    /// start. On failure the limit remains as it is.
    public static func raise() {
        var limit = current
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The number of connections that leaves enough descriptors for everything else.
    static var maximumConnections: Int {
        let count = Int(clamping: current.rlim_cur)
        return max(1, count - min(128, count / 2))
    }

    private static var current: rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }
}
