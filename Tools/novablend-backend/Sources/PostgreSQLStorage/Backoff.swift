import Glibc

/// The pauses between the attempts of a call: 10 ms at first, then twice as long each time, up to
/// 500 ms. Each is random, so that many clients do not repeat at the same time.
struct Backoff {
    private var longest = Duration.milliseconds(10)

    /// Blocks the thread for the next pause. Returns false at once if it would end after `deadline`.
    mutating func wait(until deadline: ContinuousClock.Instant) -> Bool {
        let pause = longest * Double.random(in: 0.5...1)
        guard ContinuousClock.now + pause < deadline else { return false }
        longest = min(longest * 2, .milliseconds(500))
        usleep(UInt32(pause / .microseconds(1)))
        return true
    }
}
