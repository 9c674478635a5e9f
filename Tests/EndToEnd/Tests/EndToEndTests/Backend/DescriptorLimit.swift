import Foundation

/// The limit on open descriptors (RLIMIT_NOFILE). New processes inherit it.
enum DescriptorLimit {
    /// Raises the soft limit to the hard limit. Returns whether the hard limit allows `count`
    /// descriptors.
    static func allows(_ count: Int) -> Bool {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit.rlim_max >= count
    }
}
