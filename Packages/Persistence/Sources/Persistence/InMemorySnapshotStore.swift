import Synchronization

/// A store in memory, for tests and for running without a disk.
public final class InMemorySnapshotStore: SnapshotStore {
    /// By the UTF-8 of their names, because Swift considers some strings equal whose bytes differ.
    private let snapshots = Mutex<[[UInt8]: Snapshot]>([:])

    /// Creates an empty store.
    public init() {}

    /// See ``SnapshotStore/load(_:)``.
    public func load(_ name: String) throws(StoreError) -> Snapshot? {
        try check(name, .load)
        return snapshots.withLock { $0[Array(name.utf8)] }
    }

    /// See ``SnapshotStore/metadata(of:)``.
    public func metadata(of name: String) throws(StoreError) -> [UInt8]? {
        try load(name)?.metadata
    }

    /// See ``SnapshotStore/replace(_:with:if:)``.
    public func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool {
        try check(name, .replace)
        try check(snapshot, name)
        return snapshots.withLock { snapshots in
            guard condition() else { return false }
            snapshots[Array(name.utf8)] = snapshot
            return true
        }
    }

    /// See ``SnapshotStore/update(_:_:)``.
    public func update(
        _ name: String,
        _ change: (Snapshot?) -> Snapshot?
    ) throws(StoreError) {
        try check(name, .replace)
        let key = Array(name.utf8)
        let rejected: Snapshot? = snapshots.withLock { snapshots in
            guard let changed = change(snapshots[key]) else { return nil }
            guard isSmallEnough(changed) else { return changed }
            snapshots[key] = changed
            return nil
        }
        if let rejected { try check(rejected, name) }
    }

    /// See ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) throws(StoreError) {
        try check(name, .remove)
        snapshots.withLock { $0[Array(name.utf8)] = nil }
    }

    /// See ``SnapshotStore/removeAll()``.
    public func removeAll() throws(StoreError) {
        snapshots.withLock { $0 = [:] }
    }

    /// See ``SnapshotStore/names()``.
    public func names() throws(StoreError) -> [String] {
        snapshots.withLock { $0.keys.map { String(decoding: $0, as: UTF8.self) } }
            .sorted(by: precedes)
    }

    private func check(_ name: String, _ operation: StoreError.Operation) throws(StoreError) {
        guard name.utf8.count <= Snapshot.maximumNameSize else {
            throw StoreError(operation, path: name, .nameTooLong)
        }
    }

    private func isSmallEnough(_ snapshot: Snapshot) -> Bool {
        snapshot.payload.count <= Snapshot.maximumPayloadSize
            && snapshot.metadata.count <= Snapshot.maximumMetadataSize
    }

    private func check(_ snapshot: Snapshot, _ name: String) throws(StoreError) {
        guard !isSmallEnough(snapshot) else { return }
        let isPayload = snapshot.payload.count > Snapshot.maximumPayloadSize
        let maximum = isPayload ? Snapshot.maximumPayloadSize : Snapshot.maximumMetadataSize
        throw StoreError(.replace, path: name, .tooLarge(maximum: maximum))
    }
}
