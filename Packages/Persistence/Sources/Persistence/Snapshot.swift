/// What a store keeps under one name.
public struct Snapshot: Sendable, Hashable {
    /// The bytes that are kept; the store never looks inside.
    public var payload: [UInt8]
    /// When they were fetched, in seconds since 1970-01-01T00:00:00Z.
    public var savedAt: Int64
    /// A few bytes about the payload, such as validators; at most ``largestMetadata``.
    public var metadata: [UInt8]

    /// The most metadata that a store takes, in bytes.
    public static let largestMetadata = 64 << 10
    /// The largest payload that a store takes, in bytes.
    public static let largestPayload = 1 << 30

    /// Makes a snapshot.
    public init(payload: [UInt8], savedAt: Int64, metadata: [UInt8] = []) {
        self.payload = payload
        self.savedAt = savedAt
        self.metadata = metadata
    }
}
