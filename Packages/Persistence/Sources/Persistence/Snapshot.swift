import Glibc

/// A value that a store contains under a name.
public struct Snapshot: Sendable, Hashable {
    /// The bytes of the value, at most 1 GiB (``maximumPayloadSize``). The store does not interpret them.
    public var payload: [UInt8]
    /// When the payload was saved or fetched, or the last record appended, in seconds since
    /// 1970-01-01T00:00:00Z. A cache counts the age of a snapshot from this time.
    public var savedAt: Int64
    /// Data about the payload, such as an ETag, at most 64 KiB (``maximumMetadataSize``).
    public var metadata: [UInt8]
    /// What was appended to the payload with ``SnapshotStore/append(_:to:at:savedAt:)``, oldest
    /// first, for example changes of its value.
    public var records: [[UInt8]]

    /// The size limit of a snapshot's name in a store, in bytes of UTF-8: 32 KiB.
    public static let maximumNameSize = 32 << 10
    /// The size limit of the metadata, in bytes: 64 KiB.
    public static let maximumMetadataSize = 64 << 10
    /// The size limit of the payload and the records together, in bytes: 1 GiB. Each record counts
    /// 24 bytes more than it has.
    public static let maximumPayloadSize = 1 << 30

    /// Creates a snapshot that was saved at a given time.
    public init(
        payload: [UInt8],
        savedAt: Int64,
        metadata: [UInt8] = [],
        records: [[UInt8]] = []
    ) {
        (self.payload, self.savedAt) = (payload, savedAt)
        (self.metadata, self.records) = (metadata, records)
    }

    /// Creates a snapshot that is saved now.
    public init(payload: [UInt8], metadata: [UInt8] = []) {
        self.init(payload: payload, savedAt: Int64(time(nil)), metadata: metadata)
    }

    /// The size that counts for ``maximumPayloadSize``, in bytes.
    var size: Int { records.reduce(payload.count) { $0 + RecordFormat.length(of: $1) } }
}
