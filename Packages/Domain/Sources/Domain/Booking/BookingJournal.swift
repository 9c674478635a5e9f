/// The port to the durable storage of intents. When a method returns, its write survives a crash.
///
/// A journal stores a customer's contact data only as far, and as long, as it is evidence: an open booking
/// ``BookingIntent/withoutDetails``, and any other intent ``BookingIntent/withoutContact``.
public protocol BookingJournal: Sendable {
    /// Writes `intent` as pending and returns nil. If the journal already contains an intent that
    /// `intent` repeats, writes nothing and returns the earlier intent.
    ///
    /// An intent repeats an earlier one that has the same key and was not dropped. With
    /// `joiningSameBooking`, it also repeats one for which ``BookingIntent/isOpenBooking(sameAs:)``
    /// is true. The check and the write are one atomic step, also across processes.
    func begin(_ intent: BookingIntent, joiningSameBooking: Bool) throws -> BookingIntent?

    /// Throws if the journal cannot be written. May create its directory.
    func checkWritable() throws

    /// Records an event of `intent`.
    func record(_ event: IntentEvent, of intent: BookingIntent) throws

    /// Every intent that was not dropped and whose retention period has not ended, oldest first.
    func intents() throws -> [BookingIntent]

    /// Claims the intent with `key` for the lifetime of the returned claim. Returns nil while a
    /// different task or process holds the claim. A crash releases it.
    func claim(_ key: String) throws -> (any IntentClaim)?
}

/// An event in the life of an intent.
public enum IntentEvent: Sendable, Hashable {
    /// A new attempt is about to be sent.
    case attempt(at: Timestamp)
    /// The server answered with a 2xx response that does not confirm the request.
    case accepted(BookingIntent.Acceptance)
    /// The last attempt was rejected in a way that does not rule out the booking or change, and the
    /// server does not list it.
    case rejected
    /// The outcome became known. `showsKey` means that the server showed the key of the intent.
    case outcome(BookingIntent.State, showsKey: Bool = false)
}

/// The exclusive right to send or resolve one intent. It ends when the last reference is released.
public typealias IntentClaim = AnyObject & Sendable

extension BookingJournal {
    /// The intents whose outcome is unknown, oldest first.
    public func pending() throws -> [BookingIntent] {
        try intents().filter { $0.state == .pending }
    }

    /// The intent with `key`, or nil if it does not exist, was dropped, or is no longer retained.
    func intent(of key: String) throws -> BookingIntent? {
        try intents().last { $0.key == key }
    }
}

extension BookingIntent {
    /// The intent after `event`.
    public func applying(_ event: IntentEvent) -> BookingIntent {
        var changed = self
        switch event {
        case .attempt(let time): (changed.lastAttemptAt, changed.state) = (time, .pending)
        case .accepted(let acceptance): changed.acceptance = acceptance
        case .rejected: (changed.state, changed.wasRejected) = (.notFound, true)
        case .outcome(let state, let showsKey):
            (changed.state, changed.wasRejected) = (state, false)
            if case .done(var appointment) = state, appointment.booking.phone.isEmpty,
                case .book(let request) = action
            {
                appointment.booking.digest = request.digest
                changed.state = .done(appointment)
            }
            if showsKey { changed.wasKeyShown = true }
        }
        return changed
    }

    /// Whether this is an open booking for the same salon, instant, phone, service, staff member,
    /// and seats as `other`, and not a rejected one. A request without a key joins such a booking,
    /// because a repeated request must not book twice by accident.
    public func isOpenBooking(sameAs other: BookingIntent) -> Bool {
        guard case .book(let otherRequest) = other.action else { return false }
        return isOpenBooking(of: otherRequest)
    }

    /// Whether this is an open booking that `request` repeats. A rejected one does not count: it is
    /// requested again under a new key, because servers answer a repeated key with the same rejection.
    func isOpenBooking(of request: BookingRequest) -> Bool {
        guard isOpen, !isRejected, case .book(let own) = action else { return false }
        return own.isRepetition(of: request)
    }
}
