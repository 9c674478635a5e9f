import Domain
import JSON
import Persistence

/// The outage of a list that the process that asks the server has stored for the others.
struct SharedOutage: Sendable {
    /// How long after the next attempt was due the outage is still believed, in seconds. An attempt
    /// takes time.
    private static let margin: Int64 = 45
    /// The longest time until the next attempt, in seconds. A later one is not believed: the clock was
    /// ahead, or is behind.
    private static let longest: Int64 = 3_600

    private let name: String
    private let store: any SnapshotStore

    /// The outage of the list `list`.
    init(of list: String, in store: any SnapshotStore) {
        (name, self.store) = ("outage-\(list)", store)
    }

    /// The outage; nil if the server answers, or if the process that has stored it does not seem to
    /// ask the server any more.
    func read(at now: Timestamp) -> ServerStatus.Outage? {
        guard let payload = try? store.load(name)?.payload,
            let object = try? JSONDocument(parsing: payload).root.object(),
            let since = try? object.required("since").integer(),
            let next = try? object.required("next").integer(),
            let isConnected = try? object.required("isConnected").bool(),
            let reason = try? object.required("reason").string()
        else { return nil }
        let remaining = Timestamp(secondsSince1970: Int64(next)).seconds(since: now)
        guard (-Self.margin...Self.longest + Self.margin).contains(remaining) else { return nil }
        let error: Failure =
            isConnected ? .unavailable(reason: reason) : .connectivity(reason: reason)
        return (Timestamp(secondsSince1970: Int64(since)), error)
    }

    /// Stores an outage. The server is asked again at the time `next`.
    func store(_ outage: ServerStatus.Outage, next: Timestamp, at now: Timestamp) {
        let payload = JSONFragment.object { writer in
            writer.member("since", Int(outage.since.secondsSince1970))
            writer.member("next", Int(next.secondsSince1970))
            writer.member("isConnected", !outage.error.isConnectivity)
            writer.member("reason", outage.error.description)
        }
        // Without it, the others notice that the list grows old.
        try? store.replace(name, with: Snapshot(payload: payload.bytes, savedAt: now))
    }

    /// The server answers.
    func remove() { try? store.remove(name) }
}

extension Failure {
    /// Whether there is no connection.
    fileprivate var isConnectivity: Bool { if case .connectivity = self { true } else { false } }
}
