public import Domain
import Synchronization

/// A server that returns those of a test's slots that are in the requested range.
public final class SlotSourceStub: SlotSource {
    private struct State {
        var answer: Result<OfferedSlots, ServerError>
        var laterError: ServerError?
        var starts: [AppointmentTime] = []
    }

    private let state: Mutex<State>

    /// Creates a server that returns `answer`.
    public init(_ answer: Result<OfferedSlots, ServerError>) {
        state = Mutex(State(answer: answer))
    }

    /// Lets each request after the first one fail with `error`.
    public func failsFromSecondRequest(_ error: ServerError) {
        state.withLock { $0.laterError = error }
    }

    /// The start of each requested range.
    public var starts: [AppointmentTime] { state.withLock(\.starts) }

    /// Returns the slots that start within the range.
    public func slots(
        of id: SalonID,
        from: AppointmentTime,
        to: AppointmentTime,
        options: BookingOptions,
        isExplained: Bool,
        enough: Int?
    ) async throws(ServerError) -> OfferedSlots {
        let answer = state.withLock { state in
            state.starts.append(from)
            defer { if let error = state.laterError { state.answer = .failure(error) } }
            return state.answer
        }
        let set = try answer.get()
        guard case .slots(var list) = set else { return set }
        list.slots.removeAll { $0.start.instant < from.instant || $0.start.instant >= to.instant }
        return .slots(list)
    }
}
