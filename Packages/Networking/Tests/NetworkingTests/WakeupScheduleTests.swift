import Testing

@testable import Networking

@Suite("Wakeup schedule")
struct WakeupScheduleTests {
    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start + .milliseconds(milliseconds)
    }

    /// The schedule after the thread began to wait at 0.
    private func waiting(_ milliseconds: Int) -> WakeupSchedule {
        var schedule = WakeupSchedule(now: start)
        schedule.setWait(milliseconds: milliseconds, now: start)
        return schedule
    }

    @Test("The loop thread is not woken before its first wait: it checks the timers before that")
    func first() {
        var schedule = WakeupSchedule(now: start)
        #expect(schedule.mustWake(milliseconds: 0, now: start) == false)
        #expect(schedule.mustWake(milliseconds: 5, now: at(1)) == false)
    }

    @Test("The loop thread is woken only for a timer that expires before it stops waiting anyway")
    func earlier() {
        for (now, milliseconds, mustWake) in [
            (0, 99, true), (0, 100, false), (0, 101, false), (50, 49, true), (50, 50, false),
            (99, 0, true), (100, 0, false),
        ] {
            var schedule = waiting(100)
            #expect(schedule.mustWake(milliseconds: milliseconds, now: at(now)) == mustWake)
        }
    }

    @Test("Without a timeout, any timer wakes the loop thread; if it does not wait, none does")
    func withoutTimeout() {
        var schedule = waiting(-1)
        #expect(schedule.mustWake(milliseconds: 1_000_000, now: at(0)) == true)
        schedule = waiting(0)
        #expect(schedule.mustWake(milliseconds: 0, now: at(0)) == false)
    }

    @Test("The loop thread is woken once, unless another timer expires even earlier")
    func once() {
        var schedule = waiting(100)
        #expect(schedule.mustWake(milliseconds: 50, now: at(0)) == true)
        #expect(schedule.mustWake(milliseconds: 50, now: at(0)) == false)
        #expect(schedule.mustWake(milliseconds: 99, now: at(0)) == false)
        #expect(schedule.mustWake(milliseconds: 49, now: at(0)) == true)
    }
}
