import JSON
import Networking

extension HTTPLimits {
    /// Takes bodies of up to `bytes`, and gives those beyond the usual length as much more time: at
    /// the rate at which the usual one would just come in time.
    mutating func admit(bytes: Int) {
        let usual = maximumBodyBytes
        maximumBodyBytes = bytes
        if bytes > usual { totalMilliseconds = totalMilliseconds * bytes / usual }
    }
}

extension JSONLimits {
    /// For a payload that was bounded when it came in: as long as it is.
    static func bounded(_ payload: [UInt8]) -> JSONLimits {
        JSONLimits(maximumBytes: payload.count)
    }
}
