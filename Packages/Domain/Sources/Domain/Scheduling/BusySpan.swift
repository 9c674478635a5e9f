/// A stretch of time that is somebody's.
public struct BusySpan: Sendable, Hashable {
    /// When it begins.
    public var start: Timestamp
    /// When it is over.
    public var end: Timestamp

    /// Makes a stretch of that many minutes.
    public init(start: Timestamp, minutes: Int) {
        self.start = start
        end = start.advanced(bySeconds: Int64(min(max(minutes, 0), 1_440)) * 60)
    }
}
