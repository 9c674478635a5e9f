/// A store of snapshots by name.
///
/// A name is any string of at most 32 KiB of UTF-8 (``Snapshot/maximumNameSize``). Two names are the
/// same only if their bytes are, so case matters, and so does the composition of accents.
public protocol SnapshotStore: Sendable {
    /// Loads a snapshot, and the position after its last record.
    ///
    /// - Returns: The snapshot of `name`, or nil if it does not exist.
    /// - Throws: `damaged`, `newerFormat`, `insecure`, `nameTooLong`, `nameCollision`, or `system`.
    func loadWithPosition(
        _ name: String
    ) throws(StoreError) -> (snapshot: Snapshot, position: SnapshotPosition)?

    /// Loads the end of a snapshot without reading its payload.
    ///
    /// Damage may go undetected; only ``load(_:)`` is certain to detect it.
    ///
    /// - Parameters:
    ///   - name: The name of the snapshot.
    ///   - position: Where the last call ended. The earlier records are not read again unless the
    ///     snapshot was replaced; nil to read all records.
    /// - Returns: The end of the snapshot of `name`, or nil if the snapshot does not exist.
    /// - Throws: The errors of ``load(_:)``.
    func tail(
        of name: String,
        after position: SnapshotPosition?
    ) throws(StoreError) -> SnapshotTail?

    /// Appends a record to the snapshot of `name`, unless the snapshot is no longer as it was at
    /// `position`. The rest of the snapshot is neither read nor written. A reader finds the snapshot
    /// either without the record or with the complete record. A damaged record and all records after
    /// it are treated as if they had never been appended.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - name: The name of the snapshot.
    ///   - position: The position from ``tail(of:after:)``, or from the last append.
    ///   - savedAt: The time from which the age of the snapshot now counts.
    /// - Returns: The position after the record; nil if nothing was appended, because the snapshot
    ///   was changed or removed since `position`.
    /// - Throws: `tooLarge`, or an error of ``load(_:)``. If this throws, the snapshot is unchanged,
    ///   with the exception that ``StoreError`` describes.
    func append(
        _ record: [UInt8],
        to name: String,
        at position: SnapshotPosition,
        savedAt: Timestamp
    ) throws(StoreError) -> SnapshotPosition?

    /// Replaces the snapshot of `name`, or creates it. A reader finds the complete old or the
    /// complete new snapshot.
    ///
    /// - Parameters:
    ///   - name: The name of the snapshot.
    ///   - snapshot: The new snapshot.
    ///   - condition: Runs while no other writer, in any process, can write. It must not write to
    ///     this store, or to anything else in its directory, because that would deadlock. If it
    ///     returns false, nothing is written.
    /// - Returns: The result of `condition`.
    /// - Throws: `tooLarge`, `insecure`, `nameTooLong`, `nameCollision`, or `system`; and
    ///   `newerFormat` if a newer version wrote the old snapshot. A damaged old snapshot is not an
    ///   error. If this throws, the old snapshot remains, with the exception that ``StoreError``
    ///   describes.
    func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool

    /// Replaces the snapshot of `name` with one that depends on the old snapshot. No other writer,
    /// in any process, can write in the meantime.
    ///
    /// - Parameters:
    ///   - name: The name of the snapshot.
    ///   - change: Receives the old snapshot, or nil if it does not exist, and returns the new
    ///     snapshot. If it returns nil, this writes nothing but makes sure that the old snapshot is
    ///     durable. It must not write to this store, or to anything else in its directory, because
    ///     that would deadlock. It is not called if the old snapshot cannot be read.
    /// - Throws: The errors of ``load(_:)`` and ``replace(_:with:)``.
    func update(_ name: String, _ change: (Snapshot?) -> Snapshot?) throws(StoreError)

    /// Removes the snapshot of `name`. A missing snapshot is not an error.
    ///
    /// - Throws: `newerFormat` if a newer version wrote it, `insecure`, `nameTooLong`,
    ///   `nameCollision`, or `system`.
    func remove(_ name: String) throws(StoreError)

    /// Removes all snapshots. A store in files quarantines damaged ones, and deletes no quarantined
    /// file.
    ///
    /// - Throws: `newerFormat` if a newer version wrote one of them, `insecure`, or `system`. Some
    ///   snapshots may have been removed then.
    func removeAll() throws(StoreError)

    /// Lists all snapshots.
    ///
    /// - Returns: The names of the snapshots, sorted by their bytes.
    /// - Throws: `insecure` or `system`.
    func names() throws(StoreError) -> [String]
}

extension SnapshotStore {
    /// Loads a snapshot.
    ///
    /// - Returns: The snapshot of `name`, or nil if it does not exist.
    /// - Throws: `damaged`, `newerFormat`, `insecure`, `nameTooLong`, `nameCollision`, or `system`.
    public func load(_ name: String) throws(StoreError) -> Snapshot? {
        try loadWithPosition(name)?.snapshot
    }

    /// Replaces the snapshot of `name` unconditionally, or creates it.
    ///
    /// - Throws: The errors of ``replace(_:with:if:)``.
    public func replace(_ name: String, with snapshot: Snapshot) throws(StoreError) {
        _ = try replace(name, with: snapshot) { true }
    }
}
