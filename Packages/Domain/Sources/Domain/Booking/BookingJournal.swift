/// The port to durable storage of intents. What a method wrote survives a crash once it returns.
public protocol BookingJournal: Sendable {
    /// Writes `intent` as pending, unless the journal holds an intent that it repeats; returns that
    /// one.
    ///
    /// An intent repeats one of the same key that was not dropped. With `joiningEqual` it also
    /// repeats an open booking of the same salon, instant, and phone. Looking and writing are one
    /// step, also between processes.
    func begin(_ intent: BookingIntent, joiningEqual: Bool) throws(JournalError) -> BookingIntent?

    /// Throws if the journal cannot be written. May create its directory.
    func checkWritable() throws(JournalError)

    /// Adds what happened to `intent`.
    func record(_ event: IntentEvent, of intent: BookingIntent) throws(JournalError)

    /// Every intent that was not dropped and is not forgotten yet, oldest first.
    func intents() throws(JournalError) -> [BookingIntent]

    /// Claims the intent of `key` for the lifetime of the returned claim; nil while a different task or
    /// process holds it. A crash ends a claim.
    func claim(_ key: String) throws(JournalError) -> (any IntentClaim)?
}

/// What can happen to an intent.
public enum IntentEvent: Sendable, Hashable {
    /// A new attempt is about to be sent.
    case attempt(at: Timestamp)
    /// The server answered with a success that confirms nothing.
    case accepted(BookingIntent.Acceptance)
    /// The outcome is known.
    case outcome(BookingIntent.State)
}

/// The right to send or resolve one intent. It ends when the claim is released.
public protocol IntentClaim: AnyObject, Sendable {}

extension BookingJournal {
    /// The intents whose outcome is unknown, oldest first.
    public func pending() throws(JournalError) -> [BookingIntent] {
        try intents().filter { $0.state == .pending }
    }

    /// The intent of `key` that was not dropped; nil if there is no such intent.
    func intent(of key: String) throws(JournalError) -> BookingIntent? {
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
        case .outcome(let state): changed.state = state
        }
        return changed
    }

    /// Whether `other`, which has no key of its own, is the same booking: one of them must not become
    /// a second one by accident.
    public func isEqualBooking(to other: BookingIntent) -> Bool {
        guard isOpen, case .book(let request) = action, case .book(let asked) = other.action
        else { return false }
        return request.isSameBooking(as: asked)
    }
}

/// Why an operation of the journal failed, and what to do about it.
public struct JournalError: Error, Sendable, Hashable {
    /// The reason in words.
    public var reason: String

    /// Makes an error.
    public init(reason: String) {
        self.reason = reason
    }
}
