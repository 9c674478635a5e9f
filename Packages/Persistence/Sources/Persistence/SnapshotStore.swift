/// Keeps snapshots by name. Names are 1 to 100 of `a-z`, `0-9`, `-`, `_` and `.`, not first a dot.
public protocol SnapshotStore: Sendable {
    /// What is kept under `name`; nil when nothing is.
    ///
    /// Throws `damaged`, `newerFormat`, `insecure`, `invalidName` or `system`.
    func load(_ name: String) throws(StoreError) -> Snapshot?

    /// Puts `snapshot` in the place of what was kept. A reader finds the old or the new, whole.
    ///
    /// Throws also `tooLarge`; then, as with every error, the old one is still there.
    func replace(_ name: String, with snapshot: Snapshot) throws(StoreError)

    /// Replaces what is kept by what `change` makes of it, with no other writer in between, also
    /// between processes. Nothing is written when `change` gives nil.
    func update(_ name: String, _ change: (Snapshot?) -> Snapshot?) throws(StoreError)

    /// Forgets what is kept under `name`; nothing kept is no error.
    func remove(_ name: String) throws(StoreError)

    /// The names under which something is kept, sorted.
    func names() throws(StoreError) -> [String]
}
