import NovaBlendAdapters
package import Persistence

/// A store that starts a requested watch of its directory when it creates the directory, and that
/// writes nothing during a dry run.
package struct WatchedStore: SnapshotStore {
    let store: any SnapshotStore
    let watch: DirectoryWatch

    package init(store: any SnapshotStore, watch: DirectoryWatch) {
        self.store = store
        self.watch = watch
    }

    package func load(_ name: String) throws(StoreError) -> Snapshot? { try store.load(name) }

    package func metadata(of name: String) throws(StoreError) -> [UInt8]? {
        try store.metadata(of: name)
    }

    package func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool {
        if DryRun.isActive { return true }
        let isWritten = try store.replace(name, with: snapshot, if: condition)
        watch.startIfRequested(afterWriting: name)
        return isWritten
    }

    package func update(_ name: String, _ change: (Snapshot?) -> Snapshot?) throws(StoreError) {
        if DryRun.isActive { return }
        try store.update(name, change)
        watch.startIfRequested(afterWriting: name)
    }

    package func remove(_ name: String) throws(StoreError) {
        if !DryRun.isActive { try store.remove(name) }
    }

    package func removeAll() throws(StoreError) {
        if !DryRun.isActive { try store.removeAll() }
    }

    package func names() throws(StoreError) -> [String] { try store.names() }
}
