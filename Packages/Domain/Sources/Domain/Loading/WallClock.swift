/// The port through which use cases read the time.
public protocol WallClock: Sendable {
    /// The current time.
    var now: Timestamp { get }
}
