public import Domain
import Synchronization

/// Records pauses, which end immediately.
public final class PausesSpy: Pausing {
    private let recorded = Mutex<[Duration]>([])

    /// Creates a spy.
    public init() {}

    /// The durations of the pauses so far, in order.
    public var pauses: [Duration] { recorded.withLock(\.self) }

    /// Records the pause.
    public func pause(for duration: Duration) async throws(CancellationError) {
        recorded.withLock { $0.append(duration) }
        if Task.isCancelled { throw CancellationError() }
    }
}
