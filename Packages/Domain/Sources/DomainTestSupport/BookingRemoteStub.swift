public import Domain
import Synchronization

/// A remote for bookings that answers what a test sets, attempt by attempt.
public final class BookingRemoteStub: BookingRemote {
    /// One answer to an attempt to book or to change; nil echoes what was asked for.
    public typealias Answer = Result<Appointment?, BookingRemoteError>

    private struct State {
        var availability: Result<SlotAvailability, RemoteError> = .success(.available)
        var answers: [Answer] = []
        var held: Result<[Appointment], RemoteError> = .success([])
        var sentKeys: [String] = []
        var sentChanges: [AppointmentChange] = []
        var beforeSending: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Makes a remote where every slot is free, and every booking and every change succeeds.
    public init() {}

    /// Sets what is said of any slot.
    public func availability(_ answer: Result<SlotAvailability, RemoteError>) {
        state.withLock { $0.availability = answer }
    }

    /// Sets the answers to the next attempts; afterwards each is echoed.
    public func answers(_ answers: Answer...) {
        state.withLock { $0.answers = answers }
    }

    /// Sets what the remote holds.
    public func holds(_ held: Result<[Appointment], RemoteError>) {
        state.withLock { $0.held = held }
    }

    /// Sets what happens before an attempt is answered.
    public func beforeSending(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeSending = action }
    }

    /// The keys under which attempts were sent, in order.
    public var sentKeys: [String] { state.withLock(\.sentKeys) }
    /// The changes that were asked for, in order.
    public var sentChanges: [AppointmentChange] { state.withLock(\.sentChanges) }

    /// Gives what was set.
    public func availability(for request: BookingRequest) async throws(RemoteError)
        -> SlotAvailability
    {
        try state.withLock { $0.availability }.get()
    }

    /// Notes the attempt and gives the next answer.
    public func book(_ request: BookingRequest, key: String) async throws(BookingRemoteError)
        -> Appointment
    {
        try answer(key) ?? Appointment(booking: request, id: "remote-1", version: 1)
    }

    /// Notes the attempt and gives the next answer.
    public func change(
        _ change: AppointmentChange,
        key: String
    ) async throws(BookingRemoteError) -> Appointment? {
        state.withLock { $0.sentChanges.append(change) }
        if let answer = try answer(key) { return answer }
        var changed = change.outcome
        changed.version = change.version + 1
        return changed
    }

    private func answer(_ key: String) throws(BookingRemoteError) -> Appointment? {
        state.withLock(\.beforeSending)?()
        let answer: Answer = state.withLock { state in
            state.sentKeys.append(key)
            return state.answers.isEmpty ? .success(nil) : state.answers.removeFirst()
        }
        return try answer.get()
    }

    /// Gives what was set.
    public func appointments() async throws(RemoteError) -> [Appointment] {
        try state.withLock { $0.held }.get()
    }
}
