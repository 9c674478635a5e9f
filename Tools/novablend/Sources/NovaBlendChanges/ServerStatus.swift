package import Domain
import Synchronization

/// Whether the server answers. Reports when that changes.
package final class ServerStatus: Sendable {
    /// Since when the server has not answered, and the last error; nil if it answers.
    package typealias Outage = (since: Timestamp, error: ServerError)
    package typealias Observer = @Sendable (Outage?) -> Void

    private struct State {
        var outage: Outage?
        var observers: [Observer] = []
    }

    private let state = Mutex(State())
    private let clock: any WallClock

    package init(clock: any WallClock) { self.clock = clock }

    /// Whether the last request has failed.
    var isOffline: Bool { state.withLock { $0.outage != nil } }

    package func observe(_ observer: @escaping Observer) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Records the outcome of a request; nil if the server has answered.
    package func record(_ error: ServerError?) {
        state.withLock { state in
            let hasChanged = (state.outage == nil) != (error == nil)
            state.outage = error.map { (since: state.outage?.since ?? clock.now, error: $0) }
            if hasChanged { for observer in state.observers { observer(state.outage) } }
        }
    }
}
