import Networking

extension HTTPLimits {
    /// The usual limits with bodies of up to `bytes`. A limit above the usual one allows
    /// proportionally more time.
    static func admitting(_ bytes: Int) -> HTTPLimits {
        var limits = HTTPLimits()
        let usual = limits.maximumBodyBytes
        limits.maximumBodyBytes = bytes
        let factor = max(Double(bytes) / Double(usual), 1)
        limits.totalTimeout = limits.totalTimeout * factor
        return limits
    }
}
