/// When the loop thread stops waiting without an event. Other threads wake it only if something is
/// due earlier.
struct WakeupSchedule {
    /// Nil if only an event ends the wait. Until the first wait, the thread need not be woken.
    private var wakeup: ContinuousClock.Instant?

    init(now: ContinuousClock.Instant) { wakeup = now }

    /// The loop thread waits for `milliseconds`; negative means until an event.
    mutating func setWait(milliseconds: Int, now: ContinuousClock.Instant) {
        wakeup = milliseconds < 0 ? nil : now + .milliseconds(milliseconds)
    }

    /// Whether the loop thread must be woken because something is due in `milliseconds`.
    mutating func mustWake(milliseconds: Int, now: ContinuousClock.Instant) -> Bool {
        let due = now + .milliseconds(milliseconds)
        if let wakeup, wakeup <= due { return false }
        wakeup = due
        return true
    }
}
