/// An interval in which a salon is booked.
public struct BusyInterval: Sendable, Hashable {
    /// The start.
    public var start: Timestamp
    /// The end, exclusive.
    public var end: Timestamp

    /// Creates an interval with a length of `minutes`, clamped to 0...1,440.
    public init(start: Timestamp, minutes: Int) {
        self.start = start
        end = start.advanced(bySeconds: Int64(min(max(minutes, 0), 1_440)) * 60)
    }
}
