package import Domain
import NovaBlendAdapters
import Synchronization

/// Watches for changes while a client is subscribed, over JSON-RPC or MCP.
package final class SubscriptionMonitor: Sendable {
    package typealias Source = @Sendable () -> Set<String>

    private let sources = Mutex<[Source]>([])
    private let watch: DirectoryWatch
    private let notifier: ChangeNotifier
    private let revalidator: Revalidator

    /// Creates a monitor. `revalidations` contains, by the name of a resource, a function that
    /// loads and caches the resource.
    package init(
        watch: DirectoryWatch,
        notifier: ChangeNotifier,
        revalidations: [String: @Sendable () async -> Void],
        pauses: any Pausing = SystemPauses()
    ) {
        self.watch = watch
        self.notifier = notifier
        revalidator = Revalidator(pauses: pauses) { resource in
            await revalidations[resource]?()
            // If the directory could not be created before, the watch has missed this write.
            if watch.start() { notifier.announce(nil) }
        }
    }

    /// Adds a source of subscribed topics.
    package func add(_ source: @escaping Source) { sources.withLock { $0.append(source) } }

    /// Call it after a subscription was added.
    package func subscriptionAdded() {
        // The watch must start before the notifier reads the cache; otherwise it could miss a
        // change.
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
