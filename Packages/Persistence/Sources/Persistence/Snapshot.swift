// Snapshots have timestamps, so every client of this module needs them, too.
@_exported public import CivilTime
import Glibc

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
