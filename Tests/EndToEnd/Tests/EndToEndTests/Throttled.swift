import Foundation
import Synchronization
import Testing

/// Limits how many tests run at the same time.
struct Throttled: SuiteTrait, TestTrait, TestScoping {
    fileprivate static let starters = AsyncSemaphore(
        ProcessInfo.processInfo.activeProcessorCount * 4
    )
    fileprivate static let connectors = AsyncSemaphore(1)

    fileprivate let semaphore: AsyncSemaphore

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await semaphore.wait()
        defer { semaphore.signal() }
        try await function()
    }

    /// A counting semaphore that is fair: waiters continue in the order of their calls.
    fileprivate final class AsyncSemaphore: Sendable {
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
    /// For tests that start several processes: the deadlines for events assume that a process gets a
    /// share of the processor. A time limit includes the time that a test waits for its start.
    static var throttled: Self { Throttled(semaphore: Throttled.starters) }

    /// For tests that open 10,000 connections each. Only one of these tests runs at a time: together
    /// they would exceed the usual limit on descriptors.
    static var openingManyConnections: Self { Throttled(semaphore: Throttled.connectors) }
}
