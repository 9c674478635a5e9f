/// A store of snapshots by name.
///
/// A name is any string of at most ``Snapshot/maximumNameSize`` bytes of UTF-8. Two names are the
/// same only if their bytes are, so case matters, and so does the composition of accents.
public protocol SnapshotStore: Sendable {
    /// The snapshot of `name`, or nil.
    ///
    /// Throws `damaged`, `newerFormat`, `insecure`, `nameTooLong`, `nameCollision`, or `system`.
    func load(_ name: String) throws(StoreError) -> Snapshot?

    /// The metadata of the snapshot of `name`, without reading its payload, or nil.
    ///
    /// Damage may go undetected; only ``load(_:)`` is certain to detect it. Throws the same errors
    /// as ``load(_:)``.
    func metadata(of name: String) throws(StoreError) -> [UInt8]?

    /// Replaces the snapshot of `name`, or creates it. A reader finds the complete old or the
    /// complete new snapshot.
    ///
    /// Throws `tooLarge`, `insecure`, `nameTooLong`, `nameCollision`, or `system`; and
    /// `newerFormat` if a newer version wrote the old snapshot. A damaged old snapshot is not an
    /// error. If this throws, the old snapshot remains, with the exception that ``StoreError``
    /// describes.
    ///
    /// `condition` runs while no other writer, in any process, can write. It must not write to this
    /// store. If it returns false, nothing is written and the result is false.
    func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool

    /// Replaces the snapshot of `name` with the one that `change` returns. `change` receives the
    /// old snapshot, or nil without one. No other writer, in any process, can write in the
    /// meantime. If `change` returns nil, this writes nothing but makes sure that the old snapshot
    /// is durable.
    ///
    /// `change` must not write to this store, because that would deadlock. It is not called if the
    /// old snapshot cannot be read. Throws the errors of ``load(_:)`` and ``replace(_:with:)``.
    func update(_ name: String, _ change: (Snapshot?) -> Snapshot?) throws(StoreError)

    /// Removes the snapshot of `name`. A missing snapshot is not an error.
    ///
    /// Throws `newerFormat` if a newer version wrote it, `insecure`, `nameTooLong`,
    /// `nameCollision`, or `system`.
    func remove(_ name: String) throws(StoreError)

    /// Removes all snapshots.
    ///
    /// Throws `newerFormat` if a newer version wrote one of them, `insecure`, or `system`. Some
    /// snapshots may have been removed then.
    func removeAll() throws(StoreError)

    /// The names of all snapshots, sorted by their bytes.
    ///
    /// Throws `insecure` or `system`.
    func names() throws(StoreError) -> [String]
}

extension SnapshotStore {
    /// Replaces the snapshot of `name` unconditionally. See ``replace(_:with:if:)``.
    public func replace(_ name: String, with snapshot: Snapshot) throws(StoreError) {
        _ = try replace(name, with: snapshot) { true }
    }
}
