/// A booking that was begun: written down before its first byte is sent.
public struct BookingIntent: Sendable, Hashable {
    /// What became of it.
    public enum State: Sendable, Hashable {
        /// Not known: it may have been sent.
        case pending
        /// It is a booking.
        case booked(Appointment)
        /// It is none, and never will be.
        case dropped
    }

    /// The idempotency key under which it is sent.
    public var key: String
    /// What is booked.
    public var request: BookingRequest
    /// What became of it.
    public var state: State
    /// When it was begun.
    public var begunAt: Timestamp

    /// Makes an intent.
    public init(key: String, request: BookingRequest, state: State, begunAt: Timestamp) {
        self.key = key
        self.request = request
        self.state = state
        self.begunAt = begunAt
    }
}
