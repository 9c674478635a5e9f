import Domain
import Glibc

/// The system's clock.
struct SystemClock: WallClock {
    var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}

/// Keys of 128 random bits, in the form of a UUID.
struct RandomKeys: IdempotencyKeySource {
    func makeKey() -> String {
        var random = SystemRandomNumberGenerator()
        return SalonID(high: random.next(), low: random.next()).description
    }
}
