/// The port through which use cases wait.
public protocol Pausing: Sendable {
    /// Returns after `milliseconds`, and throws as soon as the task is cancelled. Zero or less
    /// returns immediately.
    func pause(milliseconds: Int) async throws(CancellationError)
}
