import Synchronization

/// Numbers the requests to a scripted server.
final class RequestCount: Sendable {
    private let state = Mutex(0)

    /// How many there were.
    var value: Int { state.withLock(\.self) }

    /// The number of the next one, from 1.
    func next() -> Int {
        state.withLock { count in
            count += 1
            return count
        }
    }
}
