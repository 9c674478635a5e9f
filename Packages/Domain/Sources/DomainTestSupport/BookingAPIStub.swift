public import Domain
import Synchronization

/// A booking server that returns the responses that a test sets.
public final class BookingAPIStub: BookingAPI {
    /// The response to one booking or change; nil echoes the request.
    public typealias Answer = Result<ReportedAppointment?, AttemptError>

    private struct State {
        var assigned: String?
        var availability: Result<SlotAvailability, Failure> = .success(.available())
        var answers: [Answer] = []
        var held: [Result<[ReportedAppointment], Failure>] = [.success([])]
        var isComplete = true
        var mayPrecedeRequest = false
        var caller = Samples.caller
        var voiding: Result<KeyVoidResult, Failure> = .success(.unsupported)
        var statesKeySupport = true
        var lookUps = 0
        var requestedTimes: [AppointmentTime] = []
        var requestedMoves: [String?] = []
        var sentKeys: [String] = []
        var sentChanges: [AppointmentChange] = []
        var beforeSending: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Creates a server on which every slot is free and every booking and change succeeds, and which
    /// states that it honors idempotency keys.
    public init() {}

    /// Sets the availability of every slot.
    public func availability(_ answer: Result<SlotAvailability, Failure>) {
        state.withLock { $0.availability = answer }
    }

    /// Sets the responses to the next attempts. Later attempts succeed and echo the request.
    public func answers(_ answers: Answer...) { self.answers(answers) }

    /// Sets the responses to the next attempts. Later attempts succeed and echo the request.
    public func answers(_ answers: [Answer]) { state.withLock { $0.answers = answers } }

    /// Sets the server's appointments.
    public func holds(_ held: Result<[Appointment], Failure>) {
        reports(held.map { $0.map { ReportedAppointment($0) } })
    }

    /// Sets the results of the next lookups. The last one is repeated.
    public func reports(_ held: Result<[ReportedAppointment], Failure>...) { reports(held) }

    /// Sets the results of the next lookups. The last one is repeated.
    public func reports(_ held: [Result<[ReportedAppointment], Failure>]) {
        state.withLock { $0.held = held }
    }

    /// Sets whether the server's list is complete.
    public func isComplete(_ isComplete: Bool) { state.withLock { $0.isComplete = isComplete } }

    /// Sets whether the server's list may be older than the request for it.
    public func mayPrecedeRequest(_ mayPrecedeRequest: Bool) {
        state.withLock { $0.mayPrecedeRequest = mayPrecedeRequest }
    }

    /// Sets the caller whose credentials requests use.
    public func caller(_ caller: Caller) { state.withLock { $0.caller = caller } }

    /// Sets the result of voiding a key.
    public func voiding(_ answer: Result<KeyVoidResult, Failure>) {
        state.withLock { $0.voiding = answer }
    }

    /// Sets whether the server states that it honors idempotency keys.
    public func statesKeySupport(_ statesKeySupport: Bool) {
        state.withLock { $0.statesKeySupport = statesKeySupport }
    }

    /// The times whose availability was requested, in order.
    public var requestedTimes: [AppointmentTime] { state.withLock(\.requestedTimes) }
    /// The appointments whose own time was to count as free in these requests.
    public var requestedMoves: [String?] { state.withLock(\.requestedMoves) }

    /// The number of lookups so far.
    public var lookUps: Int { state.withLock(\.lookUps) }

    /// The caller whose credentials requests use.
    public var caller: Caller { state.withLock(\.caller) }

    /// Sets an action that runs when an attempt is sent.
    public func beforeSending(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeSending = action }
    }

    /// The keys of the attempts, in order.
    public var sentKeys: [String] { state.withLock(\.sentKeys) }
    /// The changes that were sent, in order.
    public var sentChanges: [AppointmentChange] { state.withLock(\.sentChanges) }

    /// Sets whom the server says that it would assign.
    public func assigns(_ id: String?) { state.withLock { $0.assigned = id } }

    /// Returns the id that was set.
    public func assignedStaffID(for request: BookingRequest, moving id: String?) async -> String? {
        state.withLock(\.assigned)
    }

    /// Records the request and returns the availability that was set.
    public func availability(
        for request: BookingRequest,
        moving id: String?,
        now: Timestamp
    ) async throws(Failure) -> SlotAvailability {
        let answer = state.withLock { state in
            state.requestedTimes.append(request.time)
            state.requestedMoves.append(id)
            return state.availability
        }
        return try answer.get()
    }

    /// Records the attempt and returns the next response.
    public func book(_ request: BookingRequest, key: String) async throws(AttemptError)
        -> ReportedAppointment
    {
        if let answer = try answer(key) { return answer }
        let id = "server-\(sentKeys.count)"
        return ReportedAppointment(Appointment(booking: request, id: id, version: 1))
    }

    /// Records the attempt and returns the next response.
    public func change(
        _ change: AppointmentChange,
        key: String
    ) async throws(AttemptError) -> ReportedAppointment {
        state.withLock { $0.sentChanges.append(change) }
        if let answer = try answer(key) { return answer }
        var changed = change.outcome
        changed.version = change.version + 1
        return ReportedAppointment(changed)
    }

    private func answer(_ key: String) throws(AttemptError) -> ReportedAppointment? {
        state.withLock(\.beforeSending)?()
        let answer: Answer = state.withLock { state in
            state.sentKeys.append(key)
            return state.answers.isEmpty ? .success(nil) : state.answers.removeFirst()
        }
        return try answer.get()
    }

    /// Records the lookup and returns the next result.
    public func lookUp() async throws(Failure) -> ReportedAppointments {
        if Task.isCancelled { throw .cancelled }
        let (held, state) = state.withLock { state in
            state.lookUps += 1
            let held = state.held.count > 1 ? state.held.removeFirst() : state.held[0]
            return (held, state)
        }
        return ReportedAppointments(
            try held.get(),
            isComplete: state.isComplete,
            mayPrecedeRequest: state.mayPrecedeRequest,
            caller: state.caller
        )
    }

    /// Returns what was set.
    public func statesKeySupport() async -> Bool { state.withLock(\.statesKeySupport) }

    /// Returns the result that was set.
    public func void(_ key: String) async throws(Failure) -> KeyVoidResult {
        try state.withLock(\.voiding).get()
    }
}
