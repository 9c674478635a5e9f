import Domain

/// Pauses on the system's clock.
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
