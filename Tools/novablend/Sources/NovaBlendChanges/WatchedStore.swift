import Persistence

/// A store that has its directory watched once it exists, and writes nothing during a dry run.
struct WatchedStore: SnapshotStore {
    let store: any SnapshotStore
    let watch: DirectoryWatch

    func load(_ name: String) throws(StoreError) -> Snapshot? { try store.load(name) }

    func metadata(of name: String) throws(StoreError) -> [UInt8]? { try store.metadata(of: name) }

    func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool {
        if DryRun.isUnderWay { return true }
        let isWritten = try store.replace(name, with: snapshot, if: condition)
        watch.directoryExists(with: name)
        return isWritten
    }

    func update(_ name: String, _ change: (Snapshot?) -> Snapshot?) throws(StoreError) {
        if DryRun.isUnderWay { return }
        try store.update(name, change)
        watch.directoryExists(with: name)
    }

    func remove(_ name: String) throws(StoreError) {
        if !DryRun.isUnderWay { try store.remove(name) }
    }

    func names() throws(StoreError) -> [String] { try store.names() }
}
