import Foundation

/// Runs blocking code on a new thread, so that it does not block the threads of other tests.
func onNewThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
