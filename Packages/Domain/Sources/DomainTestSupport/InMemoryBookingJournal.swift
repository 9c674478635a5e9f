public import Domain
import Synchronization

/// An in-memory journal.
public final class InMemoryBookingJournal: BookingJournal {
    private struct State {
        var intents: [BookingIntent] = []
        var events: [IntentEvent] = []
        var claimed: Set<String> = []
        var failure: FailureByTest?
    }

    private let state: Mutex<State>

    private let removesContacts: Bool

    /// Creates a journal that contains `intents`. With `removesContacts`, it retains contact data only as
    /// far as it is evidence, as a journal in a file does; otherwise, it retains everything.
    public init(_ intents: [BookingIntent] = [], removesContacts: Bool = false) {
        state = Mutex(State(intents: intents))
        self.removesContacts = removesContacts
    }

    /// Makes every write fail from now on.
    public func failWrites() {
        state.withLock { $0.failure = FailureByTest() }
    }

    /// The state of the intent with `key`, dropped or not, or nil.
    public func state(of key: String) -> BookingIntent.State? { intent(of: key)?.state }

    /// The intent with `key`, dropped or not, or nil.
    public func intent(of key: String) -> BookingIntent? {
        state.withLock { state in state.intents.last { $0.key == key } }
    }

    /// The recorded events, in order.
    public var events: [IntentEvent] { state.withLock(\.events) }

    /// Adds `intent`, or returns the intent that it repeats.
    public func begin(
        _ intent: BookingIntent,
        joiningSameBooking: Bool
    ) throws -> BookingIntent? {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            let earlier = state.intents.last { earlier in
                earlier.key == intent.key && earlier.state != .dropped
                    || joiningSameBooking && earlier.isOpenBooking(sameAs: intent)
            }
            if earlier == nil {
                state.intents.append(removesContacts ? intent.withoutDetails : intent)
            }
            return earlier
        }
    }

    /// Throws if writes fail.
    public func checkWritable() throws {
        if let failure = state.withLock(\.failure) { throw failure }
    }

    /// Records the event and applies it to the intent.
    public func record(
        _ event: IntentEvent,
        of intent: BookingIntent
    ) throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.events.append(event)
            if let index = state.intents.lastIndex(where: { $0.key == intent.key }) {
                let changed = state.intents[index].applying(event)
                let isNeeded = changed.isOpen || !removesContacts
                state.intents[index] = isNeeded ? changed : changed.withoutContact
            }
        }
    }

    /// The intents that were not dropped.
    public func intents() throws -> [BookingIntent] {
        state.withLock { $0.intents.filter { $0.state != .dropped } }
    }

    /// Returns a claim; nil if the intent is already claimed.
    public func claim(_ key: String) throws -> (any IntentClaim)? {
        let isNew = state.withLock { $0.claimed.insert(key).inserted }
        return isNew ? Claim(key: key, journal: self) : nil
    }

    private final class Claim: Sendable {
        let key: String
        let journal: InMemoryBookingJournal

        init(key: String, journal: InMemoryBookingJournal) {
            self.key = key
            self.journal = journal
        }

        deinit { _ = journal.state.withLock { $0.claimed.remove(key) } }
    }
}
