public import Domain
import Glibc

/// The system's clock.
public struct SystemClock: WallClock {
    /// Creates a clock.
    public init() {}

    /// The current time, in whole seconds.
    public var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}
