import Glibc

/// The system's time.
public struct SystemRetryClock: RetryClock {
    private static let start = ContinuousClock.now

    /// Makes the clock.
    public init() {}

    /// Milliseconds since the clock was first asked.
    public var milliseconds: Int { Int((ContinuousClock.now - Self.start) / .milliseconds(1)) }

    /// The system's date.
    public var date: HTTPDate { HTTPDate(secondsSince1970: time(nil)) }

    /// Suspends the task.
    public func sleep(milliseconds: Int) async throws(CancellationError) {
        do {
            try await Task.sleep(for: .milliseconds(milliseconds))
        } catch {
            throw CancellationError()
        }
    }
}
