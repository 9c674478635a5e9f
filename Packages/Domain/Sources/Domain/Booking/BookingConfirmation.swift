/// A booking, or a change to one, that the server confirmed.
public struct BookingConfirmation: Sendable, Hashable {
    /// The confirmed appointment.
    public var appointment: Appointment
    /// The idempotency key under which it was requested.
    public var key: String
    /// Why the appointment could not be cached; nil if it was cached.
    public var cacheError: Failure?
}

/// The predicted result of a booking or a change.
public struct BookingPreview: Sendable, Hashable {
    /// The appointment before a change; nil for a booking.
    public var before: Appointment?
    /// The appointment after the booking or change.
    public var after: Appointment
    /// The key of the earlier request that this one repeats; nil for a new request.
    public var repeatedKey: String?
    /// Whether an earlier request has already done it. If so, nothing would be sent.
    public var isDone = false
}

extension BookingPreview {
    /// Previews the repetition of `earlier`. `found` is its appointment if it has been done.
    init(repeating earlier: BookingIntent, found: Appointment?) {
        if case .change(let change) = earlier.action { before = change.before }
        after = found ?? earlier.action.outcome
        repeatedKey = earlier.key
        isDone = found != nil
    }
}
