/// The port through which use cases wait.
public protocol Pausing: Sendable {
    /// Returns after `duration`, and throws as soon as the task is cancelled. Zero or less returns
    /// immediately.
    func pause(for duration: Duration) async throws(CancellationError)
}
