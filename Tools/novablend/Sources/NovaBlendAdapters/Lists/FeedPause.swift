import Domain
import JSON
import NovaBlendAccounts
import Persistence

/// Until when a feed of changes that did not work is left alone. It is stored for all processes of the
/// account, because each command is a process of its own.
struct FeedPause: Sendable {
    /// The name in the store.
    private static let name = "changes"
    /// The pause after the first failure, in seconds. It doubles with each failure.
    private static let shortest: Int64 = 60
    /// The longest pause of a feed that may work again, also if the server demands more.
    private static let longest: Int64 = 3_600
    /// The pause of a feed that does not exist.
    private static let unsupported: Int64 = 86_400
    /// How many seconds in the future a pause may have begun, because clocks differ.
    private static let clockTolerance: Int64 = 60

    private let url: String
    private let store: any SnapshotStore

    /// The pause of the feed with this URL.
    init(of url: String, in store: any SnapshotStore) {
        (self.url, self.store) = (URLParts.identity(of: url), store)
    }

    private struct Stored {
        var start: Timestamp
        var seconds: Int64
        /// How many times in a row the feed did not work.
        var failures: Int

        /// Whether the pause is over. One that begins in the future is not believed: the clock was
        /// ahead, or is behind.
        func isOver(at now: Timestamp) -> Bool {
            let elapsed = now.seconds(since: start)
            return elapsed < -clockTolerance || elapsed >= min(seconds, unsupported)
        }
    }

    /// Whether the last pause is over; nil if the feed has worked since, or never failed.
    func isOver(at now: Timestamp) -> Bool? { stored()?.isOver(at: now) }

    /// Begins a pause.
    func begin(after failure: FeedFailure, at now: Timestamp) {
        let earlier = stored()
        // Another process may have begun the pause meanwhile.
        if let earlier, !earlier.isOver(at: now) { return }
        let failures = min((earlier?.failures ?? 0) + 1, 30)
        let seconds: Int64
        switch failure {
        case .unsupported: seconds = Self.unsupported
        case .noAnswer(let demand):
            let growing = Self.shortest << min(Int64(failures - 1), 10)
            seconds = min(max(growing, Int64(demand ?? 0)), Self.longest)
        }
        let payload = JSONFragment.object { writer in
            writer.member("url", url)
            writer.member("start", Int(now.secondsSince1970))
            writer.member("seconds", Int(seconds))
            writer.member("failures", failures)
        }
        // Without the pause, the next call asks the feed again.
        try? store.replace(Self.name, with: Snapshot(payload: payload.bytes, savedAt: now))
    }

    /// Ends the pause, so that the next one is short again.
    func end() { if stored() != nil { try? store.remove(Self.name) } }

    /// The stored pause of this feed; nil if there is none.
    private func stored() -> Stored? {
        guard let payload = try? store.load(Self.name)?.payload,
            let object = try? JSONDocument(parsing: payload).root.object(),
            (try? object.required("url").string()) == url,
            let start = try? object.required("start").integer(),
            let seconds = try? object.required("seconds").integer(),
            let failures = try? object.required("failures").integer(), failures > 0
        else { return nil }
        return Stored(
            start: Timestamp(secondsSince1970: Int64(start)),
            seconds: Int64(seconds),
            failures: failures
        )
    }
}
