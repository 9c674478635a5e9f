/// Calls a store from tasks. A call suspends its task instead of blocking a thread of Swift's
/// concurrency runtime, which has only one thread per processor core.
///
/// The store is a ``SnapshotStore``, a ``ValueStore``, a ``FileJournal``, or anything else whose
/// calls block. The calls run on a few threads of their own, which exist only while there are
/// calls.
public struct AsyncStore<Store: Sendable>: Sendable {
    private let store: Store
    private let threads: BlockingThreads

    /// Creates a store for tasks. Copies of this value share its threads.
    ///
    /// - Parameters:
    ///   - store: The store to call.
    ///   - maximumThreads: The maximum number of concurrent calls, at least 1.
    public init(_ store: Store, maximumThreads: Int = 4) {
        self.store = store
        threads = BlockingThreads(maximum: maximumThreads)
    }

    /// Runs a function on one of the threads. The functions start in the order of the calls.
    ///
    /// A cancelled task still waits for its turn. Then it throws `CancellationError`, and `body`
    /// does not run. A `body` that has already started runs to its end, and its result is returned.
    ///
    /// - Parameter body: Receives the store, and can call it more than once.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or `CancellationError`.
    public func perform<R: Sendable>(
        _ body: @escaping @Sendable (Store) throws -> R
    ) async throws -> R {
        try await threads.run { [store] in try body(store) }
    }
}
