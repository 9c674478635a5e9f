import BookingStorage
import Domain
import Synchronization

/// A call that waits for a connection.
protocol PendingCall: Sendable {
    /// Whether no one waits for its answer any longer.
    var isOver: Bool { get }

    /// Runs the call and answers the caller. Returns false if it has done neither, because it needs
    /// a lock for which the session does not wait: then it must run again in one that does.
    func run(_ session: Session) -> Bool

    /// Answers the caller with a failure.
    func fail(_ failure: StorageFailure)
}

/// A call whose caller waits in a continuation.
struct WaitingCall<Value: Sendable>: PendingCall {
    let caller: Caller<Value>
    let body: @Sendable (Session, ContinuousClock.Instant) throws -> Value

    var isOver: Bool { caller.isAnswered }

    func run(_ session: Session) -> Bool {
        guard caller.begin() else { return true }
        session.callers = [caller]
        do {
            caller.answer(.success(try body(session, caller.deadline)))
        } catch {
            if session.hasMetLock { return false }
            caller.answer(.failure(Problem(error)))
        }
        return true
    }

    func fail(_ failure: StorageFailure) { caller.answer(.failure(.unavailable(failure))) }
}

/// A call whose result nothing needs. It is dropped if no connection becomes free by its deadline.
struct BackgroundCall: PendingCall {
    let deadline: ContinuousClock.Instant
    let body: @Sendable (Session) -> Void

    var isOver: Bool { deadline <= .now }

    func run(_ session: Session) -> Bool {
        session.callers = []
        body(session)
        return true
    }

    func fail(_ failure: StorageFailure) {}
}

/// A caller without the type of its result.
protocol TimedCaller: Sendable {
    var deadline: ContinuousClock.Instant { get }
    var isAnswered: Bool { get }
    /// Whether its call runs, or has run.
    var hasBegun: Bool { get }

    /// Records why the last attempt of its call has failed.
    func record(_ failure: StorageFailure)

    /// Records that its change is about to be committed. Returns false if it must not be, because the
    /// caller was told that it was not made.
    func beginCommit() -> Bool

    /// Answers it because its deadline has passed. `reason` is why its call has no result if the call has
    /// not failed so far.
    func expire(_ reason: (_ hasBegun: Bool) -> StorageFailure)
}

/// The caller of a call, which is answered once: with the result, or at its deadline, whatever the call
/// waits for then.
final class Caller<Value: Sendable>: TimedCaller {
    typealias Outcome = Result<Value, Problem>

    private struct State {
        /// Nil if the caller was answered.
        var continuation: UnsafeContinuation<Outcome, Never>?
        var hasBegun = false
        /// Why the last attempt has failed.
        var failure: StorageFailure?
        /// Whether the change may have been made.
        var isCommitting = false
    }

    let deadline: ContinuousClock.Instant
    private let state: Mutex<State>

    init(deadline: ContinuousClock.Instant, _ continuation: UnsafeContinuation<Outcome, Never>) {
        self.deadline = deadline
        state = Mutex(State(continuation: continuation))
    }

    var isAnswered: Bool { state.withLock { $0.continuation == nil } }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    func answer(_ outcome: Outcome) {
        state.withLock { $0.continuation.take() }?.resume(returning: outcome)
    }

    /// Records that the call runs. Returns false if the caller was answered.
    func begin() -> Bool {
        state.withLock { state in
            state.hasBegun = true
            return state.continuation != nil
        }
    }

    func record(_ failure: StorageFailure) { state.withLock { $0.failure = failure } }

    func beginCommit() -> Bool {
        state.withLock { state in
            state.isCommitting = state.continuation != nil
            return state.isCommitting
        }
    }

    func expire(_ reason: (_ hasBegun: Bool) -> StorageFailure) {
        let (continuation, failure, hasBegun) = state.withLock { state in
            let doubt = StorageFailure(
                .inDoubt,
                "the change may have been made: the server has not confirmed it in time"
            )
            let failure = state.isCommitting ? doubt : state.failure
            return (state.continuation.take(), failure, state.hasBegun)
        }
        continuation?.resume(returning: .failure(.unavailable(failure ?? reason(hasBegun))))
    }
}

/// A booking that waits for a connection, alone or as a part of a ``BookingBatch``.
struct PendingBooking: PendingCall {
    let booking: BookingRequest
    let request: KeyedRequest?
    let principal: Principal
    let check: @Sendable (Salon) throws -> BookingPlan
    let caller: Caller<StoredAppointment>

    var isOver: Bool { caller.isAnswered }

    /// Whether the booking can be part of a batch.
    var canShare: Bool { booking.holdID == nil }

    func run(_ session: Session) -> Bool { alone.run(session) }

    func fail(_ failure: StorageFailure) { alone.fail(failure) }

    func succeed(_ stored: StoredAppointment) { caller.answer(.success(stored)) }

    /// The call that books in a transaction of its own.
    var alone: WaitingCall<StoredAppointment> {
        WaitingCall(caller: caller) { [self] session, deadline in
            try session.write(until: deadline, awaitEarlier: awaitEarlier, book)
        }
    }

    /// The call that finds out whether a transaction with this booking has been committed. Without
    /// a key that is not possible: it answers with `doubt`.
    func resolving(_ doubt: StorageFailure) -> WaitingCall<StoredAppointment> {
        WaitingCall(caller: caller) { [self] session, deadline in
            guard let awaitEarlier else { throw Problem.unavailable(doubt) }
            return try session.resolve(doubt, until: deadline, awaitEarlier, book)
        }
    }

    private func book(_ transaction: WriteTransaction) throws -> StoredAppointment {
        try transaction.book(booking, as: request, by: principal, check: check)
    }

    /// Waits until no other transaction uses the key; nil if the booking has no key.
    private var awaitEarlier: ((WriteTransaction) throws -> Void)? {
        guard let key = request?.key else { return nil }
        return { [booking] in try $0.touch(key, in: .salon(booking.salonID)) }
    }
}

/// Bookings of different salons that waited for a connection at the same time. They share one
/// transaction, so also one commit.
///
/// A booking is made in a batch only if nothing but a free time is needed. It runs alone afterward
/// if it is rejected, repeats an earlier request, or loses its time to a different transaction. So
/// there is only one implementation of these other answers.
struct BookingBatch {
    static let maximumCount = 16

    /// The bookings, in the order of their salons, so that two batches never wait for each other.
    private let bookings: [PendingBooking]

    init(_ bookings: [PendingBooking]) {
        self.bookings = bookings.map { ($0.booking.salonID.description, $0) }
            .sorted { $0.0 < $1.0 }
            .map(\.1)
    }

    /// Books, and answers the bookings that have been committed. Returns what must run for the
    /// others.
    func run(_ session: Session) -> [any PendingCall] {
        let bookings = bookings.filter { $0.caller.begin() }
        guard let deadline = bookings.map(\.caller.deadline).min() else { return [] }
        session.callers = bookings.map(\.caller)
        var results: [StoredAppointment?] = []
        do {
            try session.writeOnce(before: deadline) { transaction in
                results = try transaction.book(bookings)
            }
        } catch {
            guard let doubt = error.doubt else { return bookings.map(\.alone) }
            return zip(bookings, results).map { booking, stored in
                stored == nil ? booking.alone : booking.resolving(doubt)
            }
        }
        return zip(bookings, results).compactMap { booking, stored in
            guard let stored else { return booking.alone }
            booking.succeed(stored)
            return nil
        }
    }
}
