import BookingStorage
import Domain

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
