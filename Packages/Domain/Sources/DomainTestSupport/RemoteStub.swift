public import Domain
import Synchronization

/// A remote that answers what a test sets, and counts how often it was asked.
public final class RemoteStub<Value: Sendable>: ResourceRemote {
    private struct State {
        var answer: Result<Value, RemoteError>
        var validators: String?
        var ageSeconds: Int64 = 0
        var asked: [String?] = []
        var beforeAnswer: (@Sendable () async -> Void)?
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

    /// Sets what tells the version that is answered from others; a caller who has it is told that
    /// it is unchanged.
    public func version(_ validators: String?) {
        state.withLock { $0.validators = validators }
    }

    /// Sets how long ago the origin gave what is answered from now on.
    public func age(seconds: Int64) {
        state.withLock { $0.ageSeconds = seconds }
    }

    /// Sets what happens after the remote was asked and before it answers.
    public func beforeAnswer(_ action: @escaping @Sendable () async -> Void) {
        state.withLock { $0.beforeAnswer = action }
    }

    /// How often the remote was asked.
    public var calls: Int { asked.count }

    /// The validators that came with each question.
    public var asked: [String?] { state.withLock(\.asked) }

    /// Gives the answer that was set.
    public func load(
        unlessMatching validators: String?
    ) async throws(RemoteError) -> RemoteAnswer<Value> {
        let action = state.withLock { state in
            state.asked.append(validators)
            return state.beforeAnswer
        }
        await action?()
        let state = state.withLock(\.self)
        let value = try state.answer.get()
        if let validators, validators == state.validators {
            return .unchanged(ageSeconds: state.ageSeconds)
        }
        return .value(value, validators: state.validators, ageSeconds: state.ageSeconds)
    }
}
