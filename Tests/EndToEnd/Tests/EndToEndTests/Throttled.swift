import Foundation
import Synchronization
import Testing

/// Limits how many tests run at the same time. Each of them starts several processes, and the deadlines
/// for events assume that a process gets a share of the processor.
struct Throttled: SuiteTrait, TestTrait, TestScoping {
    private static let semaphore = AsyncSemaphore(ProcessInfo.processInfo.activeProcessorCount * 4)

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.semaphore.wait()
        defer { Self.semaphore.signal() }
        try await function()
    }

    /// A counting semaphore that is fair: waiters continue in the order of their calls.
    private final class AsyncSemaphore: Sendable {
        private struct State {
            var free: Int
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state: Mutex<State>

        init(_ count: Int) { state = Mutex(State(free: count)) }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.free == 0 { state.waiting.append(continuation) }
                    if state.free > 0 { state.free -= 1; return true }
                    return false
                }
                if isFree { continuation.resume() }
            }
        }

        func signal() {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                if state.waiting.isEmpty {
                    state.free += 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            next?.resume()
        }
    }
}

extension Trait where Self == Throttled {
    /// Limits how many tests run at the same time, over all suites with this trait. A time limit includes
    /// the time that a test waits for its start.
    static var throttled: Self { Throttled() }
}
