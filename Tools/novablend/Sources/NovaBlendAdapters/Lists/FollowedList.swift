package import Contract
package import Domain
import JSON
import Persistence

/// The maximum number of pages, because a feed may always have a next one.
private let maximumPages = 1_000
/// How long further pages are requested.
private let totalTimeout = Duration.seconds(300)
/// The age of a list, in seconds, from which on a response without changes updates its stored time.
/// To store the time of each such response is not worth a write.
private let renewalInterval: Int64 = 60

/// A cached list that follows the changes at its server.
package struct FollowedList<Codec: PagedCodec>: FeedFollower {
    private let list: StoredResource<Codec>
    private let feed: HTTPChangeFeed
    /// What the feed calls the elements, and the key of their list.
    private let kind: String
    private let clock: any WallClock

    package init(
        _ list: StoredResource<Codec>,
        feed: HTTPChangeFeed,
        kind: String,
        clock: any WallClock
    ) {
        (self.list, self.feed, self.kind, self.clock) = (list, feed, kind, clock)
    }

    package var state: FollowerState {
        guard feed.isConfigured else { return .unsupported }
        guard let state = list.state() else { return .missing }
        return state.cursor == nil ? .unsupported : .following(since: state.fetchedAt)
    }

    package func follow(
        waiting wait: Duration,
        if isFresh: (Timestamp) -> Bool
    ) async throws(ServerError) -> FollowedChanges {
        let deadline = ContinuousClock.now + totalTimeout
        var (changes, wait) = (FollowedChanges.none, wait)
        for _ in 0..<maximumPages where ContinuousClock.now < deadline {
            guard let state = list.state(), let cursor = state.cursor, isFresh(state.fetchedAt),
                let page = try await feed.changes(since: cursor, waiting: wait),
                let record = try? record(of: page)
            else { return .unknown }
            if Task.isCancelled { throw .cancelled }
            let isLast = page.cursor == cursor
            guard let isStored = store(record, isLast: isLast, after: state) else {
                return .unknown
            }
            wait = .zero
            guard isStored else { continue }
            if !record.isEmpty {
                changes = .some
            } else if !isLast, changes == .none {
                changes = .others
            }
            if isLast { return changes }
        }
        return .unknown
    }

    /// Appends a record to the list. Returns false if the list has been changed otherwise since
    /// `state`, and nil if it cannot be stored.
    private func store(
        _ record: ListRecord<Codec>,
        isLast: Bool,
        after state: StoredResource<Codec>.State
    ) -> Bool? {
        let now = clock.now
        if record.isEmpty, isLast, now.seconds(since: state.fetchedAt) < renewalInterval {
            return true
        }
        // Only the last answer, which has no changes, shows that the list is current now. After any
        // other, more changes may follow.
        return try? list.append(record, after: state, fetchedAt: isLast ? now : state.fetchedAt)
    }

    private func record(of page: HTTPChangeFeed.Page) throws(JSONError) -> ListRecord<Codec> {
        let elements = try page.object.required(named: "\(kind)s").array()
        var record = ListRecord<Codec>(cursor: page.cursor)
        if elements.count > 0 { record.changed = try Codec.read(page.object.value) }
        record.deleted = try page.deleted(kind)
        return record
    }
}

extension StoredResource {
    /// Where a complete cached list is in the server's feed, and in the store.
    struct State {
        fileprivate let position: SnapshotPosition
        let cursor: String?
        let fetchedAt: Timestamp
    }

    /// The state of the cached list; nil if no complete list is cached.
    func state() -> State? {
        guard let tail = try? store.tail(of: name, after: nil) else { return nil }
        let metadata = SnapshotMetadata(tail.metadata)
        guard metadata.url == url, !metadata.isPart else { return nil }
        let last = tail.records.last { !$0.isEmpty }.flatMap { try? ListRecord<Codec>($0).cursor }
        return State(
            position: tail.position,
            cursor: last ?? metadata.cursor,
            fetchedAt: tail.savedAt
        )
    }

    /// Appends what has changed since `state`. Returns false if the cached list has been changed
    /// otherwise since then; nothing is appended then. Once there are many changes, writes the whole
    /// list.
    func append(
        _ record: ListRecord<Codec>,
        after state: State,
        fetchedAt: Timestamp
    ) throws -> Bool {
        let end = try store.append(
            record.bytes,
            to: name,
            at: state.position,
            savedAt: fetchedAt
        )
        guard let end else { return false }
        if try store.tail(of: name, after: end)?.isLong == true { try compact() }
        return true
    }

    /// Writes the list with all changes applied. A list that cannot be read stays as it is.
    private func compact() throws(StoreError) {
        try store.update(name) { current in
            guard let cached = try? current.flatMap(decode) else { return nil }
            return snapshot(of: cached)
        }
    }
}
