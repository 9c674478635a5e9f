public import Domain
import Synchronization

/// A server for holds that returns the responses that a test sets.
public final class HoldAPIStub: HoldAPI {
    /// A request for a hold.
    public struct Request: Sendable, Hashable {
        /// The booking whose time was to be held.
        public var booking: BookingRequest
        /// The requested length.
        public var minutes: Int?
        /// The idempotency key.
        public var key: String

        /// Creates a request.
        public init(booking: BookingRequest, minutes: Int? = nil, key: String) {
            self.booking = booking
            self.minutes = minutes
            self.key = key
        }
    }

    private struct State {
        var answer: Result<GrantedHold, AttemptError>
        var release: AttemptError?
        var held: Result<GrantedHold?, AttemptError> = .success(nil)
        var requests: [Request] = []
        var released: [String] = []
        var beforeAnswering: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// Creates a server that answers every request for a hold with `answer`.
    public init(_ answer: Result<GrantedHold, AttemptError>) {
        state = Mutex(State(answer: answer))
    }

    /// Makes every release fail from now on.
    public func failReleases(_ error: AttemptError) { state.withLock { $0.release = error } }

    /// Sets what the server states about every hold; nothing by default.
    public func state(_ held: Result<GrantedHold?, AttemptError>) {
        state.withLock { $0.held = held }
    }

    /// Sets an action that runs when a request is received.
    public func beforeAnswering(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeAnswering = action }
    }

    /// The requests for holds, in order.
    public var requests: [Request] { state.withLock(\.requests) }

    /// The ids of the holds to release, in order.
    public var released: [String] { state.withLock(\.released) }

    /// Records the request and returns the response that was set.
    public func hold(
        _ request: BookingRequest,
        minutes: Int?,
        key: String
    ) async throws(AttemptError) -> GrantedHold {
        state.withLock(\.beforeAnswering)?()
        let answer = state.withLock { state in
            state.requests.append(Request(booking: request, minutes: minutes, key: key))
            return state.answer
        }
        return try answer.get()
    }

    /// What was set with ``state(_:)``.
    public func held(_ id: String) async throws(AttemptError) -> GrantedHold? {
        try state.withLock(\.held).get()
    }

    /// Records the release.
    public func release(_ id: String) async throws(AttemptError) {
        state.withLock(\.beforeAnswering)?()
        let error = state.withLock { state in
            state.released.append(id)
            return state.release
        }
        if let error { throw error }
    }
}
