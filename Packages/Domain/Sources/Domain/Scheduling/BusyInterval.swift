/// An interval in which a slot is taken.
public struct BusyInterval: Sendable, Hashable {
    /// Its start.
    public var start: Timestamp
    /// Its end, exclusive.
    public var end: Timestamp

    /// Makes an interval of `minutes`, clamped to 0...1,440.
    public init(start: Timestamp, minutes: Int) {
        self.start = start
        end = start.advanced(bySeconds: Int64(min(max(minutes, 0), 1_440)) * 60)
    }
}
