package import Domain
import NovaBlendAdapters
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
    private let watch: DirectoryWatch
    private let notifier: ChangeNotifier
    private let listener: FeedListener
    private let revalidator: Revalidator

    /// Creates a monitor. `revalidations` contains, by the name of a resource, a function that
    /// loads and caches the resource, unless `listener` does.
    package init(
        watch: DirectoryWatch,
        notifier: ChangeNotifier,
        listener: FeedListener,
        revalidations: [String: @Sendable () async -> Void],
        pauses: any Pausing = SystemPauses()
    ) {
        self.watch = watch
        self.notifier = notifier
        self.listener = listener
        revalidator = Revalidator(pauses: pauses) { resource in
            if await !listener.poll(resource) { await revalidations[resource]?() }
            // If the directory could not be created before, the watch has missed this write.
            if watch.start() { notifier.announce(nil) }
        }
    }

    deinit { state.withLock(\.task)?.cancel() }

    /// Adds a source of subscribed topics.
    package func add(_ source: @escaping Source) { state.withLock { $0.sources.append(source) } }

    /// Call it after a subscription was added or removed.
    package func subscriptionsChanged() {
        // The watch must start before the notifier reads the cache; otherwise it could miss a
        // change.
        watch.start()
        notifier.watch(topics)
        // Under the lock, so that the last of several calls finds the last state.
        state.withLock { state in
            if Self.topics(state).isEmpty {
                state.task?.cancel()
                state.task = nil
            } else if state.task == nil {
                state.task = start()
            }
        }
    }

    /// Starts the work. It does not keep this object alive.
    private func start() -> Task<Void, Never> {
        let resources: @Sendable () -> Set<String> = { [weak self] in
            Set((self?.topics ?? []).map(ChangeNotifier.resource))
        }
        return Task { [listener, revalidator] in
            async let listening: Void = listener.run(resources)
            await revalidator.run(resources)
            await listening
        }
    }

    private var topics: Set<String> { state.withLock { Self.topics($0) } }

    private static func topics(_ state: State) -> Set<String> {
        state.sources.reduce(into: []) { $0.formUnion($1()) }
    }
}
