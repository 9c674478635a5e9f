package import Persistence
import Synchronization

/// Reports when any process, including this one, replaces a snapshot.
package final class DirectoryWatch: Sendable {
    private let store: FileSnapshotStore
    /// Nil before the watch has started.
    private let watch = Mutex<SnapshotWatch?>(nil)
    private let onChange: @Sendable (String?) -> Void

    /// Creates a watch of `store`. It calls `onChange` with the name of the snapshot, or with nil
    /// if any snapshot may have been replaced.
    package init(_ store: FileSnapshotStore, onChange: @escaping @Sendable (String?) -> Void) {
        self.store = store
        self.onChange = onChange
    }

    /// Starts to watch unless it has started, or the directory cannot be created. Returns whether it
    /// has started now.
    @discardableResult
    package func start() -> Bool {
        watch.withLock { watch in
            guard watch == nil else { return false }
            watch = try? store.watch(report)
            return watch != nil
        }
    }

    private func report(_ change: SnapshotChange) {
        switch change {
        case .replaced(let name): onChange(name)
        case .removed: break
        case .unknown: onChange(nil)
        }
    }
}
