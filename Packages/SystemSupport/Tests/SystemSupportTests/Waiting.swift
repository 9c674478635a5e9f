import Glibc
import Testing

/// Waits until `condition` is true. Fails after ten seconds.
func wait(until condition: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        try #require(ContinuousClock.now < deadline)
        sched_yield()
    }
}
