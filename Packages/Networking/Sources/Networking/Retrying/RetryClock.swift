/// Time as a ``RetryingHTTPClient`` needs it.
public protocol RetryClock: Sendable {
    /// Milliseconds since any fixed moment, on a clock that does not jump.
    var milliseconds: Int { get }
    /// The date, for a `Retry-After` that names one.
    var date: HTTPDate { get }
    /// Returns after that many milliseconds; throws at once when the task is cancelled.
    func sleep(milliseconds: Int) async throws(CancellationError)
}
