import Domain

/// Pauses on the system's clock.
struct SystemPauses: Pausing {
    func pause(milliseconds: Int) async throws(CancellationError) {
        do {
            try await Task.sleep(for: .milliseconds(milliseconds))
        } catch {
            throw CancellationError()
        }
    }
}
