public import Domain
import Synchronization

/// A server that gives the answers that a test sets, and records the requests.
public final class ResourceAPIStub<Value: Sendable>: ResourceAPI {
    private struct State {
        var answer: Result<Value, ServerError>
        var validators: String?
        var ageSeconds: Int64 = 0
        var asked: [String?] = []
        var beforeAnswer: (@Sendable () async -> Void)?
    }

    private let state: Mutex<State>

    /// Makes a server that gives `answer`.
    public init(_ answer: Result<Value, ServerError>) {
        state = Mutex(State(answer: answer))
    }

    /// Sets the answer from now on.
    public func answer(_ answer: Result<Value, ServerError>) {
        state.withLock { $0.answer = answer }
    }

    /// Sets the validators of the answer. A caller that sends the same validators gets `unchanged`.
    public func version(_ validators: String?) {
        state.withLock { $0.validators = validators }
    }

    /// Sets the age of the answer.
    public func age(seconds: Int64) {
        state.withLock { $0.ageSeconds = seconds }
    }

    /// Sets what happens between a request and its answer.
    public func beforeAnswer(_ action: @escaping @Sendable () async -> Void) {
        state.withLock { $0.beforeAnswer = action }
    }

    /// The number of requests.
    public var calls: Int { asked.count }

    /// The validators of each request.
    public var asked: [String?] { state.withLock(\.asked) }

    /// Gives the answer.
    public func load(
        unlessMatching validators: String?
    ) async throws(ServerError) -> ServerAnswer<Value> {
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
