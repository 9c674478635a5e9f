import Glibc
import Testing

/// Waits until `condition` is true. Fails after a minute.
func wait(until condition: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        try #require(ContinuousClock.now < deadline)
        sched_yield()
    }
}
