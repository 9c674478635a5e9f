import BookingStorage
import NovaBlendMetrics
import Synchronization

/// Checks the database at most once a second, no matter how many clients ask for the health of the
/// backend.
final class HealthCheck: Sendable {
    typealias Operation = @Sendable () async throws(StoreError) -> Void

    private struct Check {
        var startedAt: Int
        var result: Task<Result<Void, StoreError>, Never>
    }

    /// How long the result of a check counts after its start, in nanoseconds.
    static let lifetime = 1_000_000_000

    private let operation: Operation
    private let nanoseconds: @Sendable () -> Int
    private let last = Mutex<Check?>(nil)

    /// - Parameter nanoseconds: A clock that is never set.
    init(
        nanoseconds: @escaping @Sendable () -> Int = { MonotonicTime.nanoseconds },
        _ operation: @escaping Operation
    ) {
        self.operation = operation
        self.nanoseconds = nanoseconds
    }

    /// Throws the error of the last check, or of a new one if that began more than a second ago.
    func run() async throws(StoreError) {
        let now = nanoseconds()
        let result = last.withLock { last in
            if let last, now - last.startedAt < Self.lifetime { return last.result }
            let result = Task { [operation] in
                do throws(StoreError) {
                    return Result<Void, StoreError>.success(try await operation())
                } catch {
                    return .failure(error)
                }
            }
            last = Check(startedAt: now, result: result)
            return result
        }
        try await result.value.get()
    }
}
