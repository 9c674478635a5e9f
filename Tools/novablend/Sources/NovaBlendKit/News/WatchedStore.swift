import Persistence

/// A store that tells what it writes to those who watch its directory for what others write, and
/// writes nothing for a dry run.
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
        var isWritten = false
        try watch.overlooking(name) { () throws(StoreError) in
            isWritten = try store.replace(name, with: snapshot, if: condition)
            return isWritten
        }
        watch.directoryIsThere()
        return isWritten
    }

    func update(_ name: String, _ change: (Snapshot?) -> Snapshot?) throws(StoreError) {
        if DryRun.isUnderWay { return }
        try watch.overlooking(name) { () throws(StoreError) in
            var isWritten = false
            try store.update(name) { current in
                let changed = change(current)
                isWritten = changed != nil
                return changed
            }
            return isWritten
        }
        watch.directoryIsThere()
    }

    func remove(_ name: String) throws(StoreError) {
        if !DryRun.isUnderWay { try store.remove(name) }
    }

    func names() throws(StoreError) -> [String] { try store.names() }
}
