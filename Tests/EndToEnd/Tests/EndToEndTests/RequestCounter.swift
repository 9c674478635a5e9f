import Synchronization

/// Numbers the requests to a scripted server.
final class RequestCounter: Sendable {
    private let state = Mutex(0)

    /// The number of requests so far.
    var value: Int { state.withLock(\.self) }

    /// Counts a request, and returns its number; the first is 1.
    func next() -> Int {
        state.withLock { count in
            count += 1
            return count
        }
    }
}
