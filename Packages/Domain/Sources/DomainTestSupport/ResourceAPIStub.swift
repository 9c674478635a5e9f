public import Domain
import Synchronization

/// A server that returns the response that a test sets, and records the requests.
public final class ResourceAPIStub<Value: Sendable>: ResourceAPI {
    private struct State {
        var answer: Result<Value, Failure>
        var validators: String?
        var ageSeconds: Int64 = 0
        var requestedValidators: [String?] = []
        var beforeResponse: (@Sendable () async -> Void)?
    }

    private let state: Mutex<State>

    /// Creates a server that returns `answer`.
    public init(_ answer: Result<Value, Failure>) {
        state = Mutex(State(answer: answer))
    }

    /// Sets the value or error of later responses.
    public func answer(_ answer: Result<Value, Failure>) {
        state.withLock { $0.answer = answer }
    }

    /// Sets the validators of the value. The response to a request with the same validators is
    /// `unchanged`.
    public func version(_ validators: String?) {
        state.withLock { $0.validators = validators }
    }

    /// Sets the age of later responses.
    public func age(seconds: Int64) {
        state.withLock { $0.ageSeconds = seconds }
    }

    /// Sets an action that runs between each request and its response.
    public func beforeResponse(_ action: @escaping @Sendable () async -> Void) {
        state.withLock { $0.beforeResponse = action }
    }

    /// The number of requests.
    public var calls: Int { requestedValidators.count }

    /// The validators of each request.
    public var requestedValidators: [String?] { state.withLock(\.requestedValidators) }

    /// Records the request and returns the response.
    public func load(
        unlessMatching validators: String?
    ) async throws(Failure) -> ResourceResponse<Value> {
        let action = state.withLock { state in
            state.requestedValidators.append(validators)
            return state.beforeResponse
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
