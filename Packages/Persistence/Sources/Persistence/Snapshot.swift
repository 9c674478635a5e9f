/// A value that a store contains under a name.
public struct Snapshot: Sendable, Hashable {
    /// The bytes of the value, at most ``maximumPayloadSize``. The store does not interpret them.
    public var payload: [UInt8]
    /// A time that the caller sets, such as when the payload was fetched, in seconds since
    /// 1970-01-01T00:00:00Z.
    public var savedAt: Int64
    /// Data about the payload, such as an ETag, at most ``maximumMetadataSize`` bytes.
    public var metadata: [UInt8]

    /// The size limit of a snapshot's name in a store, in bytes of UTF-8.
    public static let maximumNameSize = 32 << 10
    /// The size limit of the metadata, in bytes.
    public static let maximumMetadataSize = 64 << 10
    /// The size limit of the payload, in bytes.
    public static let maximumPayloadSize = 1 << 30

    /// Creates a snapshot.
    public init(payload: [UInt8], savedAt: Int64, metadata: [UInt8] = []) {
        self.payload = payload
        self.savedAt = savedAt
        self.metadata = metadata
    }
}
