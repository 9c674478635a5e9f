/// The port to where intents are written down, durably: what it took survives a crash.
public protocol BookingJournal: Sendable {
    /// Writes `intent` down, unless one of its key that was not dropped is there: then gives that.
    ///
    /// Looking and writing are one step, also between processes. Durable when it returns.
    func begin(_ intent: BookingIntent) throws(JournalError) -> BookingIntent?

    /// Writes down what became of `intent`.
    func settle(_ intent: BookingIntent, as state: BookingIntent.State) throws(JournalError)

    /// The intent of `key` that was not dropped; nil when there is none.
    func intent(of key: String) throws(JournalError) -> BookingIntent?

    /// The intents whose fate is not known, oldest first.
    func pending() throws(JournalError) -> [BookingIntent]
}

/// Why the journal did not do what was asked, and what to do about it.
public struct JournalError: Error, Sendable, Hashable {
    /// The reason in words.
    public var reason: String

    /// Makes an error.
    public init(reason: String) {
        self.reason = reason
    }
}
