import Domain
import Synchronization

/// Revalidates the subscribed resources at intervals, because the server does not report changes.
final class Revalidator: Sendable {
    private enum State { case idle, running }

    private let interval: Duration
    private let pauses: any Pausing
    private let revalidate: @Sendable (_ resource: String) async -> Void
    private let state = Mutex(State.idle)

    /// Calls `revalidate` for each resource every `interval`.
    init(
        interval: Duration = .seconds(30),
        pauses: any Pausing,
        revalidate: @escaping @Sendable (_ resource: String) async -> Void
    ) {
        self.interval = interval
        self.pauses = pauses
        self.revalidate = revalidate
    }

    /// Starts unless it is running. `resources` returns the subscribed resources. It stops when no
    /// resource is subscribed.
    func start(_ resources: @escaping @Sendable () -> Set<String>) {
        let isNew = state.withLock { state in
            defer { state = .running }
            return state == .idle
        }
        if isNew { Task { await run(resources) } }
    }

    private func run(_ resources: @Sendable () -> Set<String>) async {
        while (try? await pauses.pause(for: interval)) != nil {
            let names = state.withLock { state in
                let names = resources()
                // The next subscription starts it again.
                if names.isEmpty { state = .idle }
                return names
            }
            if names.isEmpty { return }
            for name in names.sorted() { await revalidate(name) }
        }
    }
}
