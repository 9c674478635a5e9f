import Synchronization

/// A store that lasts as long as it is held, for tests and for running without a disk.
public final class InMemorySnapshotStore: SnapshotStore {
    private let kept = Mutex<[String: Snapshot]>([:])

    /// Makes an empty store.
    public init() {}

    /// See ``SnapshotStore/load(_:)``.
    public func load(_ name: String) throws(StoreError) -> Snapshot? {
        try check(name, .load)
        return kept.withLock { $0[name] }
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
        return kept.withLock { kept in
            guard condition() else { return false }
            kept[name] = snapshot
            return true
        }
    }

    /// See ``SnapshotStore/update(_:_:)``.
    public func update(
        _ name: String,
        _ change: (Snapshot?) -> Snapshot?
    ) throws(StoreError) {
        try check(name, .replace)
        let refused: Snapshot? = kept.withLock { kept in
            guard let changed = change(kept[name]) else { return nil }
            guard isSmallEnough(changed) else { return changed }
            kept[name] = changed
            return nil
        }
        if let refused { try check(refused, name) }
    }

    /// See ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) throws(StoreError) {
        try check(name, .remove)
        kept.withLock { $0[name] = nil }
    }

    /// See ``SnapshotStore/names()``.
    public func names() throws(StoreError) -> [String] {
        kept.withLock { $0.keys.sorted() }
    }

    private func check(_ name: String, _ operation: StoreError.Operation) throws(StoreError) {
        guard StoreFile(name, suffix: "").isValid else {
            throw StoreError(operation, path: name, .invalidName)
        }
    }

    private func isSmallEnough(_ snapshot: Snapshot) -> Bool {
        snapshot.payload.count <= Snapshot.largestPayload
            && snapshot.metadata.count <= Snapshot.largestMetadata
    }

    private func check(_ snapshot: Snapshot, _ name: String) throws(StoreError) {
        guard !isSmallEnough(snapshot) else { return }
        let isPayload = snapshot.payload.count > Snapshot.largestPayload
        let maximum = isPayload ? Snapshot.largestPayload : Snapshot.largestMetadata
        throw StoreError(.replace, path: name, .tooLarge(maximum: maximum))
    }
}
