package import Domain
import Glibc

/// The system's clock.
package struct SystemClock: WallClock {
    package init() {}

    package var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}

/// Suspends the current task for real time.
package struct SystemPauses: Pausing {
    package init() {}

    package func pause(for duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: duration)
        } catch {
            throw CancellationError()
        }
    }
}
