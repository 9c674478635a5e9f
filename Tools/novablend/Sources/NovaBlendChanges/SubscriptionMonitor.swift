package import Domain
import NovaBlendAdapters
import Synchronization

/// Knows the topics that someone has subscribed to, over either protocol, and has their changes
/// noticed as long as there are any.
package final class SubscriptionMonitor: Sendable {
    package typealias Source = @Sendable () -> Set<String>

    private let sources = Mutex<[Source]>([])
    private let watch: DirectoryWatch
    private let notifier: ChangeNotifier
    private let revalidator: Revalidator

    /// `revalidations` are the loads that cache what the server has now, by the names of resources.
    package init(
        watch: DirectoryWatch,
        notifier: ChangeNotifier,
        revalidations: [String: @Sendable () async -> Void],
        pauses: any Pausing = SystemPauses()
    ) {
        self.watch = watch
        self.notifier = notifier
        revalidator = Revalidator(pauses: pauses) { await revalidations[$0]?() }
    }

    /// Adds what gives the topics that are subscribed to.
    package func add(_ source: @escaping Source) { sources.withLock { $0.append(source) } }

    /// Call it after each subscription.
    package func subscriptionAdded() {
        // In this order: what changes after the look at the cache is noticed.
        watch.start()
        notifier.watch(topics)
        revalidator.start { [weak self] in
            Set((self?.topics ?? []).map(ChangeNotifier.resource))
        }
    }

    private var topics: Set<String> {
        sources.withLock(\.self).reduce(into: []) { $0.formUnion($1()) }
    }
}
