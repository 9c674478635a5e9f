/// The end of a snapshot: what was appended to it after a position.
public struct SnapshotTail: Sendable, Hashable {
    /// The metadata of the snapshot.
    public var metadata: [UInt8]
    /// When the snapshot was saved or last appended to. See ``Snapshot/savedAt``.
    public var savedAt: Int64
    /// The records after the position, oldest first. If ``isWhole`` is true, these are all records.
    public var records: [[UInt8]]
    /// Whether the snapshot was replaced since the position, or none was given.
    public var isWhole: Bool
    /// The position after the last record.
    public var position: SnapshotPosition
    /// The size of the payload, in bytes.
    public var payloadSize: Int
    /// The size of all records together, in bytes, of which each counts 24 more than it has.
    public var recordsSize: Int

    /// Whether the records take up more than a quarter of the size of the payload, so that the
    /// snapshot should be replaced with one without records.
    public var isLong: Bool { recordsSize > payloadSize / 4 }

    /// Creates the end of a snapshot.
    public init(
        metadata: [UInt8],
        savedAt: Int64,
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
    /// Where the records end.
    public var end: Int
    /// Distinguishes states with the same end.
    public var state: UInt64

    /// Creates a position. Only a store does this.
    public init(end: Int, state: UInt64) { (self.end, self.state) = (end, state) }
}
