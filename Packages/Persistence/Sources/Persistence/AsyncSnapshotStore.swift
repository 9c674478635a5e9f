/// A store whose calls suspend a task instead of blocking a thread of Swift's concurrency runtime,
/// which has only one thread per processor core.
///
/// The calls run on a few threads of their own, and start in the order in which they are made. A
/// call of a cancelled task throws `CancellationError` and does nothing, unless a thread has
/// already started it; then it runs to its end and returns its result. All other errors are
/// ``StoreError``.
public struct AsyncSnapshotStore: Sendable {
    private let store: any SnapshotStore
    private let threads: BlockingThreads

    /// Creates a store for tasks. Copies of this value share its threads.
    ///
    /// - Parameters:
    ///   - store: The store to call.
    ///   - maximumThreads: The maximum number of concurrent calls, at least 1.
    public init(_ store: any SnapshotStore, maximumThreads: Int = 4) {
        self.store = store
        threads = BlockingThreads(maximum: maximumThreads)
    }

    /// See ``SnapshotStore/load(_:)``.
    public func load(_ name: String) async throws -> Snapshot? {
        try await perform { try $0.load(name) }
    }

    /// See ``SnapshotStore/replace(_:with:)``.
    public func replace(_ name: String, with snapshot: Snapshot) async throws {
        try await perform { try $0.replace(name, with: snapshot) }
    }

    /// See ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) async throws {
        try await perform { try $0.remove(name) }
    }

    /// See ``SnapshotStore/removeAll()``.
    public func removeAll() async throws {
        try await perform { try $0.removeAll() }
    }

    /// See ``SnapshotStore/names()``.
    public func names() async throws -> [String] {
        try await perform { try $0.names() }
    }

    /// Runs a function on one of the threads.
    ///
    /// - Parameter body: Receives the store. It may also use a journal, or anything else that
    ///   blocks.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or `CancellationError` if the task was cancelled before a
    ///   thread started to run `body`.
    public func perform<R: Sendable>(
        _ body: @escaping @Sendable (any SnapshotStore) throws -> R
    ) async throws -> R {
        try await threads.run { [store] in try body(store) }
    }
}
