/// The records that are written.
public enum Record {
    /// Is there before, and stays.
    public static let old = Array("old".utf8)
    /// Is there before, and goes when the journal is compacted.
    public static let settled = [UInt8](repeating: 7, count: 1_000)
    /// Is appended: more than a sector, and none of its bytes is zero.
    public static let new = [UInt8](repeating: 9, count: 700)
    /// Is appended after a crash.
    public static let next = Array("next".utf8)
}
