package import Domain
import Synchronization

/// Decides whether something may be deleted only because of the time that a clock shows.
///
/// What was deleted while the clock was wrong would be missing after it has been corrected. So if
/// the clock shows a time that differs by more than a day from the time of the last observation plus
/// the uptime since then, nothing is deleted for a day of uptime. That is enough time for someone
/// to correct the clock. Nothing is deleted for a day of uptime, either, if the service was off for
/// more than a day, because then nothing shows that the clock is right.
package final class ClockMonitor: Sendable {
    /// What the database stores about the clock, so that it is known after a restart.
    package struct Record: Sendable, Hashable {
        /// The time of an observation.
        package var time: Timestamp
        /// The seconds of uptime after the observation in which nothing may be deleted.
        package var wait: Int64

        package init(time: Timestamp, wait: Int64) {
            self.time = time
            self.wait = wait
        }
    }

    /// The result of an observation of the clock.
    package struct Observation: Sendable {
        /// Whether what has expired may be deleted.
        package var isSteady: Bool
        /// What must be stored now; nil if what is stored is recent enough.
        package var record: Record?
    }

    package typealias Uptime = @Sendable () -> ContinuousClock.Instant

    /// How much the clock may differ, and how long nothing is deleted if it differs by more.
    private static let day = Duration.seconds(86_400)
    private static let recordInterval = Duration.seconds(3_600)

    private struct State {
        var time: Timestamp
        var uptime: ContinuousClock.Instant
        var steadyFrom: ContinuousClock.Instant
        var nextRecord: ContinuousClock.Instant
    }

    private let state: Mutex<State>
    private let uptime: Uptime

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - stored: What the database contains.
    ///   - uptime: A clock that no one can set.
    package init(_ stored: Record, uptime: @escaping Uptime) {
        let start = uptime()
        let steadyFrom = start + .seconds(stored.wait)
        self.uptime = uptime
        state = Mutex(
            State(time: stored.time, uptime: start, steadyFrom: steadyFrom, nextRecord: start)
        )
    }

    /// Compares the time that the clock shows with the uptime.
    package func observe(_ now: Timestamp) -> Observation {
        let uptime = uptime()
        return state.withLock { state in
            let elapsed = Duration.seconds(now.seconds(since: state.time))
            let difference = elapsed - (uptime - state.uptime)
            if difference > Self.day || difference < .zero - Self.day {
                state.steadyFrom = uptime + Self.day
                state.nextRecord = uptime
            }
            (state.time, state.uptime) = (now, uptime)
            let wait = max(state.steadyFrom - uptime, .zero)
            var observation = Observation(isSteady: wait == .zero)
            if uptime >= state.nextRecord {
                state.nextRecord = uptime + Self.recordInterval
                observation.record = Record(time: now, wait: wait.wholeSecondsRoundedUp)
            }
            return observation
        }
    }
}

extension Duration {
    fileprivate var wholeSecondsRoundedUp: Int64 {
        components.seconds + (components.attoseconds > 0 ? 1 : 0)
    }
}
