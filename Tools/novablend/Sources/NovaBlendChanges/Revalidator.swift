import Domain
import Synchronization

/// Asks the server at intervals for the resources that someone has subscribed to, since no server
/// reports by itself what other machines change.
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

    /// Begins, unless it is running. `resources` are those that are subscribed to at that time; once
    /// there are none, it ends.
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
                // A subscription that comes after this look starts anew.
                if names.isEmpty { state = .idle }
                return names
            }
            if names.isEmpty { return }
            for name in names.sorted() { await revalidate(name) }
        }
    }
}
