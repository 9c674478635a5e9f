public import Domain
import Synchronization

/// A server that returns those of a test's slots that are in the requested range.
public final class SlotSourceStub: SlotSource {
    private struct State {
        var answer: Result<OfferedSlots, Failure>
        var laterError: Failure?
        var requests: [SlotRequest] = []
    }

    private let state: Mutex<State>

    /// Creates a server that returns `answer`.
    public init(_ answer: Result<OfferedSlots, Failure>) {
        state = Mutex(State(answer: answer))
    }

    /// Lets each request after the first one fail with `error`.
    public func failsFromSecondRequest(_ error: Failure) {
        state.withLock { $0.laterError = error }
    }

    /// The requests so far.
    public var requests: [SlotRequest] { state.withLock(\.requests) }

    /// Returns the slots that start within the range.
    public func slots(_ request: SlotRequest) async throws(Failure) -> OfferedSlots {
        let answer = state.withLock { state in
            state.requests.append(request)
            defer { if let error = state.laterError { state.answer = .failure(error) } }
            return state.answer
        }
        let set = try answer.get()
        guard case .slots(var list) = set else { return set }
        let range = request.start.instant..<max(request.start.instant, request.end.instant)
        list.slots.removeAll { !range.contains($0.start.instant) }
        return .slots(list)
    }
}
