/// A change of a store by any process.
public enum SnapshotChange: Sendable, Hashable {
    /// The snapshot of this name was replaced or created.
    case replaced(String)
    /// The snapshot of this name was removed, evicted, or quarantined.
    case removed(String)
    /// Any snapshot may have changed. This is reported if there are more changes than the system or
    /// the sequence can store, if the name of a removed snapshot is too long for its file name, and
    /// if the directory was deleted, moved, or created again.
    case unknown
}
