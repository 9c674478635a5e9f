public import Domain
import Synchronization

/// Pauses that are over at once, and are noted.
public final class PausesSpy: Pausing {
    private let noted = Mutex<[Int]>([])

    /// Makes a spy.
    public init() {}

    /// The pauses so far, in milliseconds.
    public var pauses: [Int] { noted.withLock(\.self) }

    /// Notes the pause.
    public func pause(milliseconds: Int) async throws(CancellationError) {
        noted.withLock { $0.append(milliseconds) }
        if Task.isCancelled { throw CancellationError() }
    }
}
