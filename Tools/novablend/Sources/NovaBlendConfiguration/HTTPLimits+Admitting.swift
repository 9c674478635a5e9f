import Networking

extension HTTPLimits {
    /// The default limits with bodies of up to `bytes`. If that is more than the default, the total
    /// timeout increases proportionally.
    static func admitting(_ bytes: Int) -> HTTPLimits {
        var limits = HTTPLimits()
        let defaultBytes = limits.maximumBodyBytes
        limits.maximumBodyBytes = bytes
        let factor = max(Double(bytes) / Double(defaultBytes), 1)
        limits.totalTimeout = limits.totalTimeout * factor
        return limits
    }
}
