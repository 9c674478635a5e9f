import Domain

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
