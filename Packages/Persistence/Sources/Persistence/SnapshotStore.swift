/// Keeps snapshots by name. Names are 1 to 100 of `a-z`, `0-9`, `-`, `_` and `.`, not first a dot.
public protocol SnapshotStore: Sendable {
    /// What is kept under `name`; nil when nothing is.
    ///
    /// Throws `damaged`, `newerFormat`, `insecure`, `invalidName` or `system`.
    func load(_ name: String) throws(StoreError) -> Snapshot?

    /// The metadata of what is kept under `name`, without reading the payload; nil when nothing is.
    ///
    /// Damage may go unnoticed: only ``load(_:)`` tells. Throws what that throws.
    func metadata(of name: String) throws(StoreError) -> [UInt8]?

    /// Puts `snapshot` in the place of what was kept. A reader finds the old or the new, whole.
    ///
    /// What was kept need not be readable, but `newerFormat` is thrown where a newer version wrote
    /// it. Throws also `tooLarge`, `insecure`, `invalidName` or `system`; then the old one is still
    /// there, but for the one case that ``StoreError`` tells.
    ///
    /// `condition` runs with no other writer in between, also between processes, and must not write
    /// to this store. If it is false, nothing is written and the result is false.
    func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool

    /// Replaces what is kept by what `change` makes of it, with no other writer in between, also
    /// between processes. Nothing is written when `change` gives nil; what it saw is durable then.
    ///
    /// `change` must not write to this store: it would wait for itself. Throws what ``load(_:)`` and
    /// ``replace(_:with:)`` throw; when what is kept cannot be read, `change` is not called.
    func update(_ name: String, _ change: (Snapshot?) -> Snapshot?) throws(StoreError)

    /// Forgets what is kept under `name`; nothing kept is no error.
    ///
    /// Throws `newerFormat` where a newer version wrote it, `insecure`, `invalidName` or `system`.
    func remove(_ name: String) throws(StoreError)

    /// The names under which something is kept, sorted.
    ///
    /// Throws `insecure` or `system`.
    func names() throws(StoreError) -> [String]
}

extension SnapshotStore {
    /// As ``replace(_:with:if:)``, whatever the store has.
    public func replace(_ name: String, with snapshot: Snapshot) throws(StoreError) {
        _ = try replace(name, with: snapshot) { true }
    }
}
