public import Domain
import Synchronization

/// A remote that answers what a test sets, and counts how often it was asked.
public final class RemoteStub<Value: Sendable>: ResourceRemote {
    private struct State {
        var answer: Result<Value, RemoteError>
        var calls = 0
        var beforeAnswer: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// Makes a remote that gives `answer`.
    public init(_ answer: Result<Value, RemoteError>) {
        state = Mutex(State(answer: answer))
    }

    /// Sets what is answered from now on.
    public func answer(_ answer: Result<Value, RemoteError>) {
        state.withLock { $0.answer = answer }
    }

    /// Sets what happens after the remote was asked and before it answers.
    public func beforeAnswer(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeAnswer = action }
    }

    /// How often the remote was asked.
    public var calls: Int { state.withLock { $0.calls } }

    /// Gives the answer that was set.
    public func load() async throws(RemoteError) -> Value {
        let action = state.withLock { state in
            state.calls += 1
            return state.beforeAnswer
        }
        action?()
        return try state.withLock { $0.answer }.get()
    }
}
