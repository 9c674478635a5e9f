/// The port through which use cases learn the time.
public protocol WallClock: Sendable {
    /// The time now.
    var now: Timestamp { get }
}
