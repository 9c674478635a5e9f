/// A booking, or a change to one, that was begun: written down before its first byte is sent.
public struct BookingIntent: Sendable, Hashable {
    /// What became of it.
    public enum State: Sendable, Hashable {
        /// Not known: it may have been sent.
        case pending
        /// It was done; this was the appointment then.
        case done(Appointment)
        /// It was not done, and never will be.
        case dropped
    }

    /// The idempotency key under which it is sent.
    public var key: String
    /// What is done.
    public var action: BookingAction
    /// What became of it.
    public var state: State
    /// When it was begun.
    public var begunAt: Timestamp

    /// Makes an intent.
    public init(key: String, action: BookingAction, state: State, begunAt: Timestamp) {
        self.key = key
        self.action = action
        self.state = state
        self.begunAt = begunAt
    }
}
