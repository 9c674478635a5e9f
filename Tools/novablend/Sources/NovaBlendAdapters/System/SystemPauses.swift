import Domain

/// Pauses on the system's clock.
package struct SystemPauses: Pausing {
    package init() {}

    package func pause(milliseconds: Int) async throws(CancellationError) {
        do {
            try await Task.sleep(for: .milliseconds(milliseconds))
        } catch {
            throw CancellationError()
        }
    }
}
