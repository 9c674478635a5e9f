/// When the loop thread will stop waiting if no event arrives. Other threads wake it only if a
/// timer expires earlier.
struct WakeupSchedule {
    /// When the wait of the loop thread ends; nil if only an event ends it.
    private var wakeup: ContinuousClock.Instant?

    /// Creates the schedule of a loop thread that has not waited yet. Until its first wait, it
    /// never has to be woken.
    init(now: ContinuousClock.Instant) { wakeup = now }

    /// Records that the loop thread waits for `milliseconds`; negative means until an event.
    mutating func setWait(milliseconds: Int, now: ContinuousClock.Instant) {
        wakeup = milliseconds < 0 ? nil : now + .milliseconds(milliseconds)
    }

    /// Whether the loop thread must be woken for a timer that expires in `milliseconds`.
    mutating func mustWake(milliseconds: Int, now: ContinuousClock.Instant) -> Bool {
        let due = now + .milliseconds(milliseconds)
        if let wakeup, wakeup <= due { return false }
        wakeup = due
        return true
    }
}

/// Tracks whether the server responds so fast that a sender should poll for its own response.
struct LatencyTracker {
    /// A transfer that takes less time counts as fast.
    var fastMicroseconds = 200
    /// How many transfers in a row succeeded, were fast, and did not overlap another one.
    private var consecutiveFastTransfers = 0

    /// Whether the next response is likely to be fast.
    var isFast: Bool { consecutiveFastTransfers >= 16 }

    /// Records that a transfer started while another one was in flight.
    mutating func recordOverlap() { consecutiveFastTransfers = 0 }

    /// Records the end of a transfer.
    mutating func record(microseconds: Int, succeeded: Bool) {
        let isFast = succeeded && microseconds < fastMicroseconds
        consecutiveFastTransfers = isFast ? consecutiveFastTransfers &+ 1 : 0
    }
}
