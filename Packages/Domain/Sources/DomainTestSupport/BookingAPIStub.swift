public import Domain
import Synchronization

/// A server for bookings that gives the answers that a test sets, one per attempt.
public final class BookingAPIStub: BookingAPI {
    /// The answer to one attempt to book or to change; nil echoes the request.
    public typealias Answer = Result<ReportedAppointment?, BookingServerError>

    private struct State {
        var availability: Result<SlotAvailability, ServerError> = .success(.available)
        var answers: [Answer] = []
        var held: [Result<[ReportedAppointment], ServerError>] = [.success([])]
        var isComplete = true
        var caller = Samples.caller
        var voiding: Result<KeyVoidResult, ServerError> = .success(.unsupported)
        var lookUps = 0
        var askedTimes: [AppointmentTime] = []
        var sentKeys: [String] = []
        var sentChanges: [AppointmentChange] = []
        var beforeSending: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Makes a server on which every slot is free, and every booking and every change succeeds.
    public init() {}

    /// Sets the answer about any slot.
    public func availability(_ answer: Result<SlotAvailability, ServerError>) {
        state.withLock { $0.availability = answer }
    }

    /// Sets the answers to the next attempts; afterwards each is echoed.
    public func answers(_ answers: Answer...) { self.answers(answers) }

    /// Sets the answers to the next attempts; afterwards each is echoed.
    public func answers(_ answers: [Answer]) { state.withLock { $0.answers = answers } }

    /// Sets what the server holds.
    public func holds(_ held: Result<[Appointment], ServerError>) {
        reports(held.map { $0.map { ReportedAppointment($0) } })
    }

    /// Sets what the server reports when it is asked for its appointments: one answer each time, the
    /// last one from then on.
    public func reports(_ held: Result<[ReportedAppointment], ServerError>...) {
        state.withLock { $0.held = held }
    }

    /// Sets whether the server's list contains everything.
    public func isComplete(_ isComplete: Bool) { state.withLock { $0.isComplete = isComplete } }

    /// Sets on whose behalf requests are sent.
    public func caller(_ caller: Caller) { state.withLock { $0.caller = caller } }

    /// Sets the answer to the request to void a key.
    public func voiding(_ answer: Result<KeyVoidResult, ServerError>) {
        state.withLock { $0.voiding = answer }
    }

    /// The times of the slots that the server was asked about, in order.
    public var askedTimes: [AppointmentTime] { state.withLock(\.askedTimes) }

    /// How often the server was asked for its appointments.
    public var lookUps: Int { state.withLock(\.lookUps) }

    /// On whose behalf requests are sent.
    public var caller: Caller { state.withLock(\.caller) }

    /// Sets what happens before an attempt is answered.
    public func beforeSending(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeSending = action }
    }

    /// The keys under which attempts were sent, in order.
    public var sentKeys: [String] { state.withLock(\.sentKeys) }
    /// The changes that were asked for, in order.
    public var sentChanges: [AppointmentChange] { state.withLock(\.sentChanges) }

    /// Gives what was set.
    public func availability(for request: BookingRequest) async throws(ServerError)
        -> SlotAvailability
    {
        let answer = state.withLock { state in
            state.askedTimes.append(request.time)
            return state.availability
        }
        return try answer.get()
    }

    /// Records the attempt and gives the next answer.
    public func book(_ request: BookingRequest, key: String) async throws(BookingServerError)
        -> ReportedAppointment
    {
        let booked = Appointment(booking: request, id: "server-1", version: 1)
        return try answer(key) ?? ReportedAppointment(booked)
    }

    /// Records the attempt and gives the next answer.
    public func change(
        _ change: AppointmentChange,
        key: String
    ) async throws(BookingServerError) -> ReportedAppointment {
        state.withLock { $0.sentChanges.append(change) }
        if let answer = try answer(key) { return answer }
        var changed = change.outcome
        changed.version = change.version + 1
        return ReportedAppointment(changed)
    }

    private func answer(_ key: String) throws(BookingServerError) -> ReportedAppointment? {
        state.withLock(\.beforeSending)?()
        let answer: Answer = state.withLock { state in
            state.sentKeys.append(key)
            return state.answers.isEmpty ? .success(nil) : state.answers.removeFirst()
        }
        return try answer.get()
    }

    /// Gives what was set.
    public func lookUp() async throws(ServerError) -> ReportedAppointments {
        if Task.isCancelled { throw .cancelled }
        let (held, isComplete, caller) = state.withLock { state in
            state.lookUps += 1
            let held = state.held.count > 1 ? state.held.removeFirst() : state.held[0]
            return (held, state.isComplete, state.caller)
        }
        return ReportedAppointments(try held.get(), isComplete: isComplete, caller: caller)
    }

    /// Gives what was set.
    public func void(_ key: String) async throws(ServerError) -> KeyVoidResult {
        try state.withLock(\.voiding).get()
    }
}
