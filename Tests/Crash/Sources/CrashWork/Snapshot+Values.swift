public import Persistence

extension Snapshot {
    /// Is there before.
    public static let old = Snapshot(payload: Array("old".utf8), savedAt: 1, metadata: [1, 2])
    /// Is written: more than a sector, and none of its bytes is zero.
    public static let new = Snapshot(
        payload: [UInt8](repeating: 9, count: 700),
        savedAt: 2,
        metadata: [3]
    )
    /// Is written in pieces.
    public static let large = Snapshot(
        payload: [UInt8](repeating: 9, count: 10_000),
        savedAt: 2,
        metadata: [3]
    )
    /// Is written after a crash.
    public static let next = Snapshot(payload: Array("next".utf8), savedAt: 3)
}
