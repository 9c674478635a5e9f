import Domain

/// Revalidates the subscribed resources at intervals, because their server does not report changes.
struct Revalidator: Sendable {
    private let interval: Duration
    private let pauses: any Pausing
    private let revalidate: @Sendable (_ resource: String) async -> Void

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

    /// Revalidates until the task is cancelled. `resources` returns the subscribed resources.
    func run(_ resources: @Sendable () -> Set<String>) async {
        while (try? await pauses.pause(for: interval)) != nil {
            for name in resources().sorted() { await revalidate(name) }
        }
    }
}
