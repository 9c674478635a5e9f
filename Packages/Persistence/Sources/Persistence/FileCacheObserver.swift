/// Receives what happens in a ``FileSnapshotStore``, for logs and metrics. Every function has a default
/// implementation that does nothing.
///
/// The store calls it on the thread of the operation, which waits for it. A call of the store that
/// throws an error is not reported.
public protocol FileCacheObserver: Sendable {
    /// Called when a load has found a snapshot.
    ///
    /// - Parameters:
    ///   - name: The name of the snapshot.
    ///   - age: The time since ``Snapshot/savedAt``; negative if that is in the future.
    func didHit(_ name: String, age: Duration)

    /// Called when a load has found no snapshot, or only an expired one.
    ///
    /// - Parameter name: The name of the snapshot.
    func didMiss(_ name: String)

    /// Called when a snapshot was replaced, or a record was appended to it. The change is durable.
    ///
    /// - Parameters:
    ///   - name: The name of the snapshot.
    ///   - bytes: How much was written: the size of the file, or of the appended record in it.
    func didWrite(_ name: String, bytes: Int)
}

extension FileCacheObserver {
    /// Does nothing.
    public func didHit(_ name: String, age: Duration) {}

    /// Does nothing.
    public func didMiss(_ name: String) {}

    /// Does nothing.
    public func didWrite(_ name: String, bytes: Int) {}
}

/// An observer behind a pointer. If there is no observer, an operation only compares the pointer;
/// copying an optional `any FileCacheObserver` would take about a hundred instructions.
final class ObserverReference: Sendable {
    let value: any FileCacheObserver

    init(_ value: any FileCacheObserver) { self.value = value }
}
