package import Persistence
import Synchronization

/// Reports when any process, including this one, replaces a snapshot.
package final class DirectoryWatch: Sendable {
    private enum State {
        /// The watch has not been requested.
        case off
        /// The watch was requested, but has not started, because the directory cannot be created.
        case requested
        case running(SnapshotWatch)
    }

    private let store: FileSnapshotStore
    private let state = Mutex(State.off)
    private let onChange: @Sendable (String?) -> Void

    /// Creates a watch of `store`. It calls `onChange` with the name of the snapshot, or with nil
    /// if any snapshot may have been replaced.
    package init(_ store: FileSnapshotStore, onChange: @escaping @Sendable (String?) -> Void) {
        self.store = store
        self.onChange = onChange
    }

    /// Starts to watch, now or after the first write that can create the directory.
    package func start() {
        state.withLock { state in
            if case .off = state { state = .requested }
        }
        startIfRequested(afterWriting: nil)
    }

    /// Starts to watch if that was requested.
    ///
    /// Call it after this process has written `name`, which may have created the directory. If the
    /// watch starts only now, it has missed that write, so this reports it.
    func startIfRequested(afterWriting name: String?) {
        let isStarted = state.withLock { state in
            guard case .requested = state, let watch = try? store.watch(report) else {
                return false
            }
            state = .running(watch)
            return true
        }
        if isStarted, let name { onChange(name) }
    }

    private func report(_ change: SnapshotChange) {
        switch change {
        case .replaced(let name): onChange(name)
        case .removed: break
        case .unknown: onChange(nil)
        }
    }
}
