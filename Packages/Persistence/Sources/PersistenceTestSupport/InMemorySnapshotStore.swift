public import Persistence
import Synchronization

/// A store in memory.
public final class InMemorySnapshotStore: SnapshotStore {
    private struct Entry {
        var snapshot: Snapshot
        /// The numbers of the changes that replaced the snapshot, and that appended each record.
        var changes: [UInt64]

        var position: SnapshotPosition {
            SnapshotPosition(end: changes.count, state: changes.last ?? 0)
        }

        /// Whether the snapshot was at `position` since it was replaced.
        func contains(_ position: SnapshotPosition) -> Bool {
            (1...changes.count).contains(position.end)
                && changes[position.end - 1] == position.state
        }
    }

    private struct State {
        /// The snapshots by the UTF-8 of their names, because Swift considers some strings equal
        /// whose bytes differ.
        private var entries: [[UInt8]: Entry] = [:]
        /// The number of changes so far.
        private var changes: UInt64 = 0

        var names: [String] { entries.keys.map { String(decoding: $0, as: UTF8.self) } }

        subscript(name: String) -> Entry? { entries[Array(name.utf8)] }

        mutating func replace(_ name: String, with snapshot: Snapshot) {
            changes += 1
            let changes = [UInt64](repeating: changes, count: 1 + snapshot.records.count)
            entries[Array(name.utf8)] = Entry(snapshot: snapshot, changes: changes)
        }

        mutating func append(_ record: [UInt8], to name: String, _ savedAt: Timestamp) {
            changes += 1
            entries[Array(name.utf8)]?.changes.append(changes)
            entries[Array(name.utf8)]?.snapshot.records.append(record)
            entries[Array(name.utf8)]?.snapshot.savedAt = savedAt
        }

        mutating func remove(_ name: String) { entries[Array(name.utf8)] = nil }

        mutating func removeAll() { entries = [:] }
    }

    private let state = Mutex(State())

    /// Creates an empty store.
    public init() {}

    /// See `SnapshotStore.loadWithPosition(_:)`.
    public func loadWithPosition(
        _ name: String
    ) throws(StoreError) -> (snapshot: Snapshot, position: SnapshotPosition)? {
        try check(name, .load)
        return state.withLock { $0[name] }.map { ($0.snapshot, $0.position) }
    }

    /// See `SnapshotStore.tail(of:after:)`.
    public func tail(
        of name: String,
        after position: SnapshotPosition?
    ) throws(StoreError) -> SnapshotTail? {
        try check(name, .load)
        return state.withLock { $0[name] }.map { entry in
            let snapshot = entry.snapshot
            let known = position.flatMap { entry.contains($0) ? $0 : nil }
            return SnapshotTail(
                metadata: snapshot.metadata,
                savedAt: snapshot.savedAt,
                records: Array(snapshot.records.dropFirst((known?.end ?? 1) - 1)),
                isWhole: known == nil,
                position: entry.position,
                payloadSize: snapshot.payload.count,
                recordsSize: snapshot.size - snapshot.payload.count
            )
        }
    }

    /// See `SnapshotStore.append(_:to:at:savedAt:)`.
    public func append(
        _ record: [UInt8],
        to name: String,
        at position: SnapshotPosition,
        savedAt: Timestamp
    ) throws(StoreError) -> SnapshotPosition? {
        try check(name, .append)
        return try state.withLock { state throws(StoreError) in
            guard var extended = state[name]?.snapshot, state[name]?.position == position else {
                return nil
            }
            extended.records.append(record)
            try check(extended, name, .append)
            state.append(record, to: name, savedAt)
            return state[name]?.position
        }
    }

    /// See `SnapshotStore.replace(_:with:if:)`. `condition` must not use this store at all, not even
    /// to load a snapshot: the store's lock is not recursive, so the process would stop.
    public func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool {
        try check(name, .replace)
        try check(snapshot, name, .replace)
        return state.withLock { state in
            guard condition() else { return false }
            state.replace(name, with: snapshot)
            return true
        }
    }

    /// See `SnapshotStore.update(_:_:)`. `change` must not use this store at all, not even to load a
    /// snapshot: the store's lock is not recursive, so the process would stop.
    public func update(
        _ name: String,
        _ change: (Snapshot?) -> Snapshot?
    ) throws(StoreError) {
        try check(name, .replace)
        try state.withLock { state throws(StoreError) in
            guard let changed = change(state[name]?.snapshot) else { return }
            try check(changed, name, .replace)
            state.replace(name, with: changed)
        }
    }

    /// See `SnapshotStore.remove(_:)`.
    public func remove(_ name: String) throws(StoreError) {
        try check(name, .remove)
        state.withLock { $0.remove(name) }
    }

    /// See `SnapshotStore.removeAll()`.
    public func removeAll() throws(StoreError) { state.withLock { $0.removeAll() } }

    /// See `SnapshotStore.names()`.
    public func names() throws(StoreError) -> [String] {
        state.withLock(\.names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func check(_ name: String, _ operation: StoreError.Operation) throws(StoreError) {
        guard name.utf8.count <= Snapshot.maximumNameSize else {
            throw StoreError(operation, path: name, .nameTooLong)
        }
    }

    private func check(
        _ snapshot: Snapshot,
        _ name: String,
        _ operation: StoreError.Operation
    ) throws(StoreError) {
        let limits = [
            (snapshot.size, Snapshot.maximumPayloadSize),
            (snapshot.metadata.count, Snapshot.maximumMetadataSize),
        ]
        for (size, maximum) in limits where size > maximum {
            throw StoreError(operation, path: name, .tooLarge(maximum: maximum))
        }
    }
}
