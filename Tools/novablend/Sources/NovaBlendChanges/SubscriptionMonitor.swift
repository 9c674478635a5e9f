package import Domain
import NovaBlendAdapters
package import Persistence
import Synchronization

/// Watches for changes while a client is subscribed, over JSON-RPC or MCP.
package final class SubscriptionMonitor: Sendable {
    package typealias Source = @Sendable () -> Set<String>

    private struct State {
        var sources: [Source] = []
        /// The work while there are subscriptions.
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    /// The watch of the store; nil before it has started.
    private let watch = Mutex<SnapshotWatch?>(nil)
    private let store: FileSnapshotStore
    private let notifier: ChangeNotifier
    private let listeners: [FeedListener]
    private let revalidations: [String: @Sendable () async -> Void]
    private let pauses: any Pausing

    /// Creates a monitor of `store`. `revalidations` contains, by the name of a resource, a function
    /// that loads and caches the resource, unless one of `listeners` does.
    package init(
        store: FileSnapshotStore,
        notifier: ChangeNotifier,
        listeners: [FeedListener],
        revalidations: [String: @Sendable () async -> Void],
        pauses: any Pausing = SystemPauses()
    ) {
        (self.store, self.notifier, self.listeners) = (store, notifier, listeners)
        (self.revalidations, self.pauses) = (revalidations, pauses)
    }

    deinit { state.withLock(\.task)?.cancel() }

    /// Adds a source of subscribed topics.
    package func add(_ source: @escaping Source) { state.withLock { $0.sources.append(source) } }

    /// Starts or stops the work. Must be called after a subscription was added or removed.
    package func subscriptionsChanged() {
        // The watch must start before the notifier reads the cache; otherwise it could miss a
        // change.
        startWatch()
        notifier.watch(topics)
        // Start and stop under the lock, so that the last of several calls finds the last state.
        state.withLock { state in
            if Self.topics(state).isEmpty {
                state.task?.cancel()
                state.task = nil
            } else if state.task == nil {
                state.task = start()
            }
        }
    }

    /// Starts the work. Its task does not keep this object alive.
    private func start() -> Task<Void, Never> {
        let resources: @Sendable () -> Set<String> = { [weak self] in
            Set((self?.topics ?? []).map(ChangeNotifier.resource))
        }
        // The task is detached, because its requests do not belong to the trace of the call that
        // subscribes.
        return Task.detached { [weak self, listeners, pauses] in
            await withTaskGroup { group in
                for listener in listeners {
                    group.addTask {
                        await listener.run { resources().contains(listener.name) }
                    }
                }
                // Some servers do not report changes.
                while (try? await pauses.pause(for: FeedListener.pollInterval)) != nil {
                    for name in resources().sorted() { await self?.revalidate(name) }
                }
            }
        }
    }

    private func revalidate(_ resource: String) async {
        if let listener = listeners.first(where: { $0.name == resource }) {
            await listener.poll()
        } else {
            await revalidations[resource]?()
        }
        // If the directory could not be created before, the watch has missed this write.
        if startWatch() { notifier.announce(nil) }
    }

    /// Starts to watch the store unless it has started, or the directory cannot be created. Returns
    /// whether it has started now.
    @discardableResult
    private func startWatch() -> Bool {
        watch.withLock { watch in
            guard watch == nil else { return false }
            watch = try? store.watch { [weak notifier] change in
                switch change {
                case .replaced(let name): notifier?.announce(name)
                case .removed: break
                case .unknown: notifier?.announce(nil)
                }
            }
            return watch != nil
        }
    }

    private var topics: Set<String> { state.withLock { Self.topics($0) } }

    private static func topics(_ state: State) -> Set<String> {
        state.sources.reduce(into: []) { $0.formUnion($1()) }
    }
}
