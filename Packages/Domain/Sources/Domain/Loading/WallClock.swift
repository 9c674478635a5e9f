/// The port through which use cases read the time.
public protocol WallClock: Sendable {
    /// The time now.
    var now: Timestamp { get }
}
