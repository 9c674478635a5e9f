package import Domain
import Glibc

/// The system's clock.
package struct SystemClock: WallClock {
    package init() {}

    package var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}
