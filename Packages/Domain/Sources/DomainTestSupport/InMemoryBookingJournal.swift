public import Domain
import Synchronization

/// A journal that lasts as long as the test.
public final class InMemoryBookingJournal: BookingJournal {
    private struct State {
        var intents: [BookingIntent] = []
        var failure: JournalError?
    }

    private let state: Mutex<State>

    /// Makes a journal that holds `intents`.
    public init(_ intents: [BookingIntent] = []) {
        state = Mutex(State(intents: intents))
    }

    /// Makes every write fail from now on.
    public func failWrites() {
        state.withLock { $0.failure = JournalError(reason: "set by the test") }
    }

    /// What became of the intent of `key`; nil when there is none.
    public func state(of key: String) -> BookingIntent.State? {
        state.withLock { state in state.intents.last { $0.key == key }?.state }
    }

    /// Looks and writes in one step.
    public func begin(_ intent: BookingIntent) throws(JournalError) -> BookingIntent? {
        let result: Result<BookingIntent?, JournalError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            let earlier = state.intents.last { $0.key == intent.key && $0.state != .dropped }
            if earlier == nil { state.intents.append(intent) }
            return .success(earlier)
        }
        return try result.get()
    }

    /// The newest of `key` that was not dropped.
    public func intent(of key: String) throws(JournalError) -> BookingIntent? {
        state.withLock { $0.intents.last { $0.key == key && $0.state != .dropped } }
    }

    /// Notes the state.
    public func settle(
        _ intent: BookingIntent,
        as newState: BookingIntent.State
    ) throws(JournalError) {
        let failure: JournalError? = state.withLock { state in
            guard state.failure == nil else { return state.failure }
            for index in state.intents.indices where state.intents[index].key == intent.key {
                state.intents[index].state = newState
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// What is pending, oldest first.
    public func pending() throws(JournalError) -> [BookingIntent] {
        state.withLock { $0.intents.filter { $0.state == .pending } }
    }
}
