public import Domain
import Synchronization

/// A clock that a test sets, and the uptime that passes with it.
public final class TestClock: WallClock {
    private struct State {
        var now: Timestamp
        var latest: Timestamp
        var uptime = ContinuousClock.now
        var jumped: Int64 = 0

        mutating func show(_ time: Timestamp) {
            now = time
            latest = max(latest, time)
        }
    }

    private let state: Mutex<State>

    /// Creates a clock that shows `start`.
    public init(_ start: Timestamp) { state = Mutex(State(now: start, latest: start)) }

    /// The time that the clock shows.
    public var now: Timestamp { state.withLock { $0.now } }

    /// The latest time that the clock has shown.
    var latest: Timestamp { state.withLock { $0.latest } }

    /// Whether the clock was set forward and not set back.
    var isAhead: Bool { state.withLock { $0.jumped > 0 } }

    /// Reads the uptime, which no one can set.
    public var uptime: @Sendable () -> ContinuousClock.Instant {
        { self.state.withLock { $0.uptime } }
    }

    /// Lets time pass.
    public func advance(bySeconds seconds: Int64) {
        state.withLock { state in
            state.uptime += .seconds(seconds)
            state.show(state.now.advanced(bySeconds: seconds))
        }
    }

    /// Sets the clock forward, or back if `seconds` is negative, while no time passes.
    public func jump(bySeconds seconds: Int64) {
        state.withLock { state in
            state.jumped += seconds
            state.show(state.now.advanced(bySeconds: seconds))
        }
    }
}
