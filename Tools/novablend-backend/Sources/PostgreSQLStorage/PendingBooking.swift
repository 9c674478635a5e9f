import BookingStorage
import Domain

/// A booking that waits for a connection, alone or as a part of a ``BookingBatch``.
struct PendingBooking: PendingCall {
    typealias Continuation = UnsafeContinuation<Result<StoredAppointment, StoreError>, Never>

    let booking: BookingRequest
    let request: KeyedRequest?
    let principal: Principal
    let check: @Sendable (Salon) throws -> BookingPlan
    let deadline: ContinuousClock.Instant
    let continuation: Continuation

    /// Whether the booking can be part of a batch. A booking whose deadline has passed is answered
    /// separately.
    var canShare: Bool { booking.holdID == nil && ContinuousClock.now < deadline }

    func run(_ session: Session) { alone.run(session) }

    func fail(_ failure: StorageFailure) { alone.fail(failure) }

    func succeed(_ stored: StoredAppointment) {
        continuation.resume(returning: .success(stored))
    }

    /// The call that books in a transaction of its own.
    var alone: WaitingCall<StoredAppointment> {
        WaitingCall(
            deadline: deadline,
            body: { [self] session, deadline throws(StoreError) in
                try session.write(until: deadline, awaitEarlier: awaitEarlier, book)
            },
            continuation: continuation
        )
    }

    /// The call that finds out whether a transaction with this booking has been committed. Without
    /// a key that is not possible: it answers with `doubt`.
    func resolving(
        _ doubt: StorageFailure,
        until deadline: ContinuousClock.Instant
    ) -> WaitingCall<StoredAppointment> {
        WaitingCall(
            deadline: deadline,
            delay: doubt,
            body: { [self] session, deadline throws(StoreError) in
                guard let awaitEarlier else { throw .unavailable(doubt) }
                return try session.resolve(doubt, until: deadline, awaitEarlier, book)
            },
            continuation: continuation
        )
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
