public import Persistence

extension Snapshot {
    /// Exists before the operation.
    public static let old = Snapshot(
        payload: Array("old".utf8),
        savedAt: Timestamp(secondsSince1970: 1),
        metadata: [1, 2]
    )
    /// The value that the operation saves. It is longer than a sector and has no zero byte.
    public static let new = Snapshot(
        payload: [UInt8](repeating: 9, count: 700),
        savedAt: Timestamp(secondsSince1970: 2),
        metadata: [3]
    )
    /// A value that is saved in chunks.
    public static let large = Snapshot(
        payload: [UInt8](repeating: 9, count: 10_000),
        savedAt: Timestamp(secondsSince1970: 2),
        metadata: [3]
    )
    /// `old` with a record that is appended.
    public static let extended = Snapshot(
        payload: old.payload,
        savedAt: Timestamp(secondsSince1970: 2),
        metadata: old.metadata,
        records: [Record.new]
    )
    /// The value that is saved after a crash.
    public static let next = Snapshot(
        payload: Array("next".utf8),
        savedAt: Timestamp(secondsSince1970: 3)
    )
}
