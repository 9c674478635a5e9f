package import Domain
import Synchronization

/// Whether the server answers. Reports when that changes.
package final class ServerStatus: Sendable {
    /// Since when the server has not answered, and the last error; nil if it answers.
    package typealias Outage = (since: Timestamp, error: Failure)
    package typealias Observer = @Sendable (Outage?) -> Void

    private struct State {
        /// The outages by the names of the lists that could not be requested.
        var outages: [String: Outage] = [:]
        var observers: [Observer] = []

        /// The first outage that has not ended.
        var first: Outage? { outages.values.min { $0.since < $1.since } }
    }

    private let state = Mutex(State())

    package init() {}

    /// The outage of a list; nil if its last request was answered.
    func outage(of list: String) -> Outage? { state.withLock { $0.outages[list] } }

    package func observe(_ observer: @escaping Observer) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Sets the outage of a list; nil if the server has answered.
    package func set(_ outage: Outage?, of list: String) {
        state.withLock { state in
            let wasOffline = !state.outages.isEmpty
            state.outages[list] = outage
            guard wasOffline == state.outages.isEmpty else { return }
            for observer in state.observers { observer(state.first) }
        }
    }
}
