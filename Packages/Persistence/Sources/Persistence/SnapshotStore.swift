// Snapshots have timestamps, so every client of this module needs them, too.
@_exported public import CivilTime
import Glibc

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

/// A value that a store contains under a name.
public struct Snapshot: Sendable, Hashable {
    /// The bytes of the value, at most 1 GiB (``maximumPayloadSize``). The store does not interpret them.
    public var payload: [UInt8]
    /// When the payload was saved or fetched, or the last record appended. A cache counts the age of
    /// a snapshot from this time.
    public var savedAt: Timestamp
    /// Data about the payload, such as an ETag, at most 64 KiB (``maximumMetadataSize``).
    public var metadata: [UInt8]
    /// What was appended to the payload with ``SnapshotStore/append(_:to:at:savedAt:)``, oldest
    /// first, for example changes of the value.
    public var records: [[UInt8]]

    /// The size limit of a snapshot's name in a store, in bytes of UTF-8: 32 KiB.
    public static let maximumNameSize = 32 << 10
    /// The size limit of the metadata, in bytes: 64 KiB.
    public static let maximumMetadataSize = 64 << 10
    /// The size limit of the payload and the records together, in bytes: 1 GiB. Each record counts
    /// as 24 bytes more than its length.
    public static let maximumPayloadSize = 1 << 30

    /// Creates a snapshot that was saved at a given time.
    public init(
        payload: [UInt8],
        savedAt: Timestamp,
        metadata: [UInt8] = [],
        records: [[UInt8]] = []
    ) {
        (self.payload, self.savedAt) = (payload, savedAt)
        (self.metadata, self.records) = (metadata, records)
    }

    /// Creates a snapshot that is saved now.
    public init(payload: [UInt8], metadata: [UInt8] = []) {
        self.init(payload: payload, savedAt: .now, metadata: metadata)
    }

    /// The size that counts for ``maximumPayloadSize``, in bytes.
    package var size: Int { records.reduce(payload.count) { $0 + RecordFormat.length(of: $1) } }
}

/// The end of a snapshot: what was appended to it after a position.
public struct SnapshotTail: Sendable, Hashable {
    /// The metadata of the snapshot.
    public var metadata: [UInt8]
    /// When the snapshot was saved or last appended to. See ``Snapshot/savedAt``.
    public var savedAt: Timestamp
    /// The records after the position, oldest first. If ``isWhole`` is true, these are all records.
    public var records: [[UInt8]]
    /// Whether ``records`` contains all records, because the snapshot was replaced since the
    /// position, or no position was given.
    public var isWhole: Bool
    /// The position after the last record.
    public var position: SnapshotPosition
    /// The size of the payload, in bytes.
    public var payloadSize: Int
    /// The size of all records together, in bytes. Each record counts as 24 bytes more than its
    /// length.
    public var recordsSize: Int

    /// Whether the records take up more than a quarter of the size of the payload, so that the
    /// snapshot should be replaced with one without records.
    public var isLong: Bool { recordsSize > payloadSize / 4 }

    /// Creates the end of a snapshot.
    public init(
        metadata: [UInt8],
        savedAt: Timestamp,
        records: [[UInt8]],
        isWhole: Bool,
        position: SnapshotPosition,
        payloadSize: Int,
        recordsSize: Int
    ) {
        (self.metadata, self.savedAt, self.records) = (metadata, savedAt, records)
        (self.isWhole, self.position) = (isWhole, position)
        (self.payloadSize, self.recordsSize) = (payloadSize, recordsSize)
    }
}

/// Identifies a state of a snapshot: its payload, its metadata, and its records so far.
public struct SnapshotPosition: Sendable, Hashable {
    /// Where the records end: in a file, the offset in bytes.
    public var end: Int
    /// Distinguishes states with the same end.
    public var state: UInt64

    /// Creates a position. Only a store does this.
    public init(end: Int, state: UInt64) { (self.end, self.state) = (end, state) }
}

extension Timestamp {
    static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }

    func age(since earlier: Timestamp) -> Duration { .seconds(seconds(since: earlier)) }
}
