public import Domain
import NovaBlendAdapters
import NovaBlendChanges

/// Reports the changes of lists as they come, made by any process or at the server.
public struct LiveChanges: Sendable {
    /// A change of a list, or of the connection to the server.
    public enum Event: Sendable {
        /// A list has changed.
        case changed
        /// The server has not answered since this time.
        case offline(since: Timestamp, Failure)
        /// The server answers again.
        case online
    }

    let monitor: SubscriptionMonitor
    let notifier: ChangeNotifier
    let status: ServerStatus

    /// The events of the lists with these names, from now on. Use it once in a process, because it does
    /// not end.
    public func events(of names: Set<String>) -> AsyncStream<Event> {
        AsyncStream { continuation in
            notifier.observe { _, _ in continuation.yield(.changed) }
            status.observe { outage in
                continuation.yield(outage.map { .offline(since: $0.since, $0.error) } ?? .online)
            }
            monitor.add { names }
            monitor.subscriptionsChanged()
            // The monitor works as long as it exists.
            continuation.onTermination = { [monitor] _ in withExtendedLifetime(monitor) {} }
        }
    }
}
