import Foundation
import Synchronization
import Testing

/// Runs only a few tests at once, each of which starts several processes: the deadlines of tests that
/// wait for an event are for a program that gets a share of the processor.
struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount * 4)

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.turns.take()
        defer { Self.turns.release() }
        try await function()
    }

    /// Turns that are given in the order in which they were asked for.
    private final class Turns: Sendable {
        private struct State {
            var free: Int
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state: Mutex<State>

        init(_ count: Int) { state = Mutex(State(free: count)) }

        func take() async {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.free == 0 { state.waiting.append(continuation) }
                    if state.free > 0 { state.free -= 1; return true }
                    return false
                }
                if isFree { continuation.resume() }
            }
        }

        func release() {
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

extension Trait where Self == FewAtOnce {
    /// The tests of the suite, and of all others with this trait, run a few at once. A time limit
    /// includes the time that a test waits for its turn.
    static var fewAtOnce: Self { FewAtOnce() }
}
