/// The port through which use cases read the time.
public protocol WallClock: Sendable {
    /// The current time.
    var now: Timestamp { get }
}

/// The port through which use cases wait.
public protocol Pausing: Sendable {
    /// Returns after `duration`, or immediately if it is zero or negative. Throws as soon as the
    /// task is cancelled.
    func pause(for duration: Duration) async throws(CancellationError)
}
