/// A booking, or a change to one, that is durable before its first byte is sent.
public struct BookingIntent: Sendable, Hashable {
    /// What is known of the outcome.
    public enum State: Sendable, Hashable {
        /// Unknown: it may have been sent.
        case pending
        /// It was done; this was the appointment at that time.
        case done(Appointment)
        /// The server did not show it after the grace period. Its key stays reserved, and the
        /// appointment may still appear.
        case notFound
        /// It was not done, and never will be under this key.
        case dropped
    }

    /// The idempotency key under which it is sent.
    public var key: String
    /// What is done.
    public var action: BookingAction
    /// What is known of the outcome.
    public var state: State
    /// When it was begun.
    public var begunAt: Timestamp
    /// When the last attempt to send it was about to start.
    public var lastAttemptAt: Timestamp
    /// On whose behalf it is sent.
    public var caller: Caller
    /// What was booked at the same salon and minute before the first attempt.
    public var knownBefore: KnownAppointments
    /// The server's answer that neither confirmed nor rejected it, if there was one.
    public var acceptance: Acceptance?

    /// Appointments that existed before an intent, and so are no evidence of it.
    public struct KnownAppointments: Sendable, Hashable {
        /// The ids of those that have one.
        public var ids: Set<String>
        /// The number of those without an id.
        public var countWithoutID: Int

        /// Describes known appointments.
        public init(ids: Set<String> = [], countWithoutID: Int = 0) {
            self.ids = ids
            self.countWithoutID = countWithoutID
        }
    }

    /// A success (2xx) whose content confirms nothing. After it, absence from a list proves nothing.
    public struct Acceptance: Sendable, Hashable {
        /// The id that the answer named.
        public var id: String?

        /// Describes an acceptance.
        public init(id: String? = nil) { self.id = id }
    }

    /// Makes an intent that is about to be sent for the first time.
    public init(
        key: String,
        action: BookingAction,
        state: State = .pending,
        begunAt: Timestamp,
        caller: Caller,
        knownBefore: KnownAppointments = KnownAppointments()
    ) {
        self.key = key
        self.action = action
        self.state = state
        self.begunAt = begunAt
        lastAttemptAt = begunAt
        self.caller = caller
        self.knownBefore = knownBefore
    }

    /// Whether the outcome may still become known.
    public var isOpen: Bool { state == .pending || state == .notFound }
}
