import Domain
import Glibc

/// The system's clock.
struct SystemClock: WallClock {
    var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}

/// Random UUIDs as idempotency keys.
struct RandomKeys: IdempotencyKeySource {
    func makeKey() -> String { Identifier.random().description }
}
