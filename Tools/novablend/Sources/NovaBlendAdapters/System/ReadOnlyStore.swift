package import Persistence

/// A store that writes nothing, for a dry run. A dry run does not cache the data that it loads, either.
package struct ReadOnlyStore: SnapshotStore {
    private let store: any SnapshotStore

    package init(_ store: any SnapshotStore) { self.store = store }

    package func loadWithPosition(
        _ name: String
    ) throws(StoreError) -> (snapshot: Snapshot, position: SnapshotPosition)? {
        try store.loadWithPosition(name)
    }

    package func tail(
        of name: String,
        after position: SnapshotPosition?
    ) throws(StoreError) -> SnapshotTail? {
        try store.tail(of: name, after: position)
    }

    package func append(
        _: [UInt8],
        to _: String,
        at position: SnapshotPosition,
        savedAt _: Timestamp
    ) throws(StoreError) -> SnapshotPosition? {
        position
    }

    package func replace(_: String, with _: Snapshot, if _: () -> Bool) throws(StoreError) -> Bool {
        true
    }

    package func update(_: String, _: (Snapshot?) -> Snapshot?) throws(StoreError) {}

    package func remove(_: String) throws(StoreError) {}

    package func removeAll() throws(StoreError) {}

    package func names() throws(StoreError) -> [String] { try store.names() }
}
