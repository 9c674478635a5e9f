import Glibc
import SystemSupport

/// Reports the changes of a store until this object is released. See
/// ``FileSnapshotStore/watch(_:)``.
///
/// Store the watch in a property: Swift may release a local variable right after its last use.
public final class SnapshotWatch: Sendable {
    private let events: DirectoryEvents

    /// Starts a thread that passes each event in the directory at `path` to `onEvent`.
    init(
        directory path: String,
        onEvent: @escaping @Sendable (SnapshotChange) -> Void
    ) throws(StoreError.Reason) {
        let events = try DirectoryEvents(directory: path)
        do {
            try SystemThread.start { events.forEach(onEvent) }
        } catch {
            throw .system(call: "pthread_create", errno: error.code)
        }
        self.events = events
    }

    deinit { events.stop() }
}

/// A change of a store by any process.
public enum SnapshotChange: Sendable, Hashable {
    /// The snapshot of this name was replaced or created, or a record was appended to it.
    case replaced(String)
    /// The snapshot of this name was removed, evicted, or quarantined.
    case removed(String)
    /// Any snapshot may have changed. This is reported if there are more changes than the system's
    /// queue or that of ``FileSnapshotStore/changes()`` can hold, if the name of a removed snapshot
    /// is too long for its file name, and if the directory was deleted, moved, or created again.
    case unknown
}
