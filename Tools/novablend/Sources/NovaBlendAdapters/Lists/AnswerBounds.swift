import JSON
import Networking

/// How long the answer to a reading request may be.
enum AnswerBounds {
    /// What allows a longer one.
    static let remedy = "--max-answer BYTES takes more"
}

extension HTTPLimits {
    /// The usual limits with bodies of up to `bytes`; those beyond the usual length have as much more
    /// time: at the rate at which the usual one would just come in time.
    static func admitting(_ bytes: Int) -> HTTPLimits {
        var limits = HTTPLimits()
        let usual = limits.maximumBodyBytes
        limits.maximumBodyBytes = bytes
        let factor = max(Double(bytes) / Double(usual), 1)
        limits.totalTimeout = limits.totalTimeout * factor
        return limits
    }
}

extension JSONLimits {
    /// For a payload that was bounded when it came in: as long as it is.
    static func bounded(_ payload: [UInt8]) -> JSONLimits {
        JSONLimits(maximumBytes: payload.count)
    }
}
