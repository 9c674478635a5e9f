/// What a booking or a change would do.
public struct BookingPreview: Sendable, Hashable {
    /// The appointment before a change; nil for a booking.
    public var before: Appointment?
    /// The appointment afterwards.
    public var after: Appointment
    /// The key of the earlier request that this one repeats; nil for a new request.
    public var repeatedKey: String?
    /// Whether it has been done already. Then nothing would be sent.
    public var isDone: Bool

    init(before: Appointment? = nil, after: Appointment) {
        self.before = before
        self.after = after
        isDone = false
    }

    /// What would happen to an earlier intent, which was done if `found` is not nil.
    init(repeating earlier: BookingIntent, found: Appointment?) {
        if case .change(let change) = earlier.action { before = change.before }
        after = found ?? earlier.action.outcome
        repeatedKey = earlier.key
        isDone = found != nil
    }
}
