import Domain

/// Pauses of the current task.
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
