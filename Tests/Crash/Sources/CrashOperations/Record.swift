/// The records of the journal operations.
public enum Record {
    /// Exists before the operation, and remains.
    public static let old = Array("old".utf8)
    /// Exists before the operation, and is dropped when the journal is compacted.
    public static let closed = [UInt8](repeating: 7, count: 1_000)
    /// The record that the operation appends. It is longer than a sector and has no zero byte.
    public static let new = [UInt8](repeating: 9, count: 700)
    /// The record that is appended after a crash.
    public static let next = Array("next".utf8)
}
