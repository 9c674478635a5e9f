package import Domain
import NovaBlendAdapters
import Synchronization

/// Watches for changes while there are subscriptions, over JSON-RPC or MCP.
package final class SubscriptionMonitor: Sendable {
    package typealias Source = @Sendable () -> Set<String>

    private let sources = Mutex<[Source]>([])
    private let watch: DirectoryWatch
    private let notifier: ChangeNotifier
    private let revalidator: Revalidator

    /// Makes a monitor. `revalidations` load and cache what the server has now, by the names of the
    /// resources.
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

    /// Adds a source of subscribed topics.
    package func add(_ source: @escaping Source) { sources.withLock { $0.append(source) } }

    /// Call it after a subscription was added.
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
