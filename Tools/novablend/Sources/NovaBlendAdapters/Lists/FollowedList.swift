package import Contract
package import Domain
import JSON
import Persistence

/// How many pages a call reads at most. To load the list is cheaper then.
private let maximumPages = 50
/// How long further pages are requested if they do not say whether there are more: a server at which
/// others make changes all the time always has a next page.
private let maximumTime = Duration.milliseconds(500)
/// How long further pages are requested that the server has announced.
private let maximumAnnouncedTime = Duration.seconds(5)
/// The age of a list, in seconds, from which on a response without changes updates its stored time and
/// cursor. To store those of each such response is not worth a write.
private let renewalInterval: Int64 = 60
/// How long a list follows the feed until it is loaded again, in seconds, in case the feed does not
/// report a change.
private let maximumSecondsSinceLoad: Int64 = 86_400
/// How many seconds in the future a list may have been loaded, because clocks differ.
private let clockTolerance: Int64 = 60
/// A cursor that is too old although its list was loaded within this many seconds shows that the feed
/// does not work.
private let shortestCursorLife: Int64 = 60

/// A cached list that follows the changes at its server.
package struct FollowedList<Codec: PagedCodec>: FeedFollower {
    private let list: StoredResource<Codec>
    private let feed: HTTPChangeFeed
    /// What the feed calls the elements, and the key of their list.
    private let kind: String
    private let clock: any WallClock
    /// Called when the feed has reported that elements were deleted.
    private let onDeletion: @Sendable () -> Void

    package init(
        _ list: StoredResource<Codec>,
        feed: HTTPChangeFeed,
        kind: String,
        clock: any WallClock,
        onDeletion: @escaping @Sendable () -> Void = {}
    ) {
        (self.list, self.feed, self.kind, self.clock) = (list, feed, kind, clock)
        self.onDeletion = onDeletion
    }

    package var state: FollowerState {
        let isAvailable = feed.isAvailable(at: clock.now)
        guard let state = list.state() else { return isAvailable ? .missing : .unsupported() }
        return isAvailable && state.cursor != nil
            ? .following(since: state.fetchedAt) : .unsupported(since: state.fetchedAt)
    }

    package func avoidFeed(after failure: FeedFailure) { feed.avoid(after: failure, at: clock.now) }

    package func follow(
        waiting wait: Duration,
        if isFresh: (Timestamp) -> Bool
    ) async throws(CancellationError) -> FollowedChanges {
        guard feed.isAvailable(at: clock.now) else { return .unknown }
        var (result, wait, isWaiting) = (FollowedChanges.none, wait, wait > .zero)
        var start = ContinuousClock.now
        for _ in 0..<maximumPages {
            let now = clock.now
            guard let state = list.state(), let cursor = state.cursor, isFresh(state.fetchedAt),
                !isLoadDue(state, now)
            else { return .unknown }
            let page: HTTPChangeFeed.Page
            let record: ListRecord<Codec>
            switch try await ask(state, cursor, waiting: wait, now) {
            case .page(let answer, let changes): (page, record) = (answer, changes)
            case .end(let changes): return changes
            }
            let end = CatchUp(after: page, since: cursor)
            let isSame = page.isEmpty && end == .current && isRecent(state)
            let stored = isSame ? true : store(record, end, requestedAt: now, after: state)
            if !record.deleted.isEmpty { onDeletion() }
            guard let isStored = stored else { return .unknown }
            if isWaiting { start = .now }
            wait = .zero
            if isStored {
                result = result.adding(record.isEmpty, page.isEmpty)
                // What is still to come is no reason to ask at once: the next call waits for it.
                if end == .current || (isWaiting && end == .unknown) { return result }
            }
            isWaiting = false
            let limit = end == .announced ? maximumAnnouncedTime : maximumTime
            if start.duration(to: .now) > limit { return .unknown }
        }
        return .unknown
    }

    /// What the feed answers.
    private enum Answer {
        case page(HTTPChangeFeed.Page, ListRecord<Codec>)
        /// There is nothing to apply.
        case end(FollowedChanges)
    }

    private func ask(
        _ state: StoredResource<Codec>.State,
        _ cursor: String,
        waiting wait: Duration,
        _ now: Timestamp
    ) async throws(CancellationError) -> Answer {
        switch try await feed.changes(to: kind, since: cursor, waiting: wait) {
        case .page(let page):
            // With the same cursor, the next page would be the same.
            guard let record = try? record(of: page),
                page.hasMore != true || page.cursor != cursor
            else { return .end(.failed(.noAnswer())) }
            if Task.isCancelled { throw CancellationError() }
            feed.succeeded()
            return .page(page, record)
        case .tooOld:
            return .end(wasLoadedJustNow(state, now) ? .failed(.noAnswer()) : .unknown)
        case .failed(let failure): return .end(.failed(failure))
        }
    }

    /// Whether the list must be loaded by a request of its own. A time in the future is not believed.
    private func isLoadDue(_ state: StoredResource<Codec>.State, _ now: Timestamp) -> Bool {
        let age = now.seconds(since: state.loadedAt)
        return age >= maximumSecondsSinceLoad || age < -clockTolerance
    }

    private func wasLoadedJustNow(
        _ state: StoredResource<Codec>.State,
        _ now: Timestamp
    ) -> Bool {
        (-clockTolerance..<shortestCursorLife).contains(now.seconds(since: state.loadedAt))
    }

    /// Whether the stored time of the list need not be updated. The cursor need not be, either, if nothing
    /// has changed since.
    private func isRecent(_ state: StoredResource<Codec>.State) -> Bool {
        (0..<renewalInterval).contains(clock.now.seconds(since: state.fetchedAt))
    }

    /// Appends a record to the list. Returns false if the list has been changed otherwise since
    /// `state`, and nil if it cannot be stored.
    private func store(
        _ record: ListRecord<Codec>,
        _ end: CatchUp,
        requestedAt start: Timestamp,
        after state: StoredResource<Codec>.State
    ) -> Bool? {
        // Only an answer after which no earlier change follows shows that the list is current.
        guard end == .current else {
            return try? list.append(record, after: state, fetchedAt: state.fetchedAt)
        }
        let current = record.isEmpty ? clock.now : start
        let isPast = state.fetchedAt <= clock.now
        let fetchedAt = isPast ? max(state.fetchedAt, current) : current
        return try? list.append(record, after: state, fetchedAt: fetchedAt)
    }

    private func record(of page: HTTPChangeFeed.Page) throws(JSONError) -> ListRecord<Codec> {
        let elements = try page.object.required(named: "\(kind)s").array()
        var record = ListRecord<Codec>(cursor: page.cursor)
        if elements.count > 0 { record.changed = try Codec.read(page.object.value) }
        for (deletedKind, id) in page.deleted where deletedKind == kind {
            record.deleted.insert(try ListRecord<Codec>.id(id))
        }
        return record
    }
}

/// Whether a page contains all changes that were made before it was requested.
private enum CatchUp {
    /// It does: the server says so, or the page has no changes.
    case current
    /// The server says that there are more.
    case announced
    /// The server does not say it.
    case unknown

    init(after page: HTTPChangeFeed.Page, since cursor: String) {
        self =
            switch page.hasMore {
            case false?: .current
            case true?: .announced
            case nil: page.isEmpty || page.cursor == cursor ? .current : .unknown
            }
    }
}

extension FollowedChanges {
    /// These changes, and those of a page that has none for the list, or none at all.
    fileprivate func adding(_ isEmptyRecord: Bool, _ isEmptyPage: Bool) -> FollowedChanges {
        if !isEmptyRecord { return .some }
        return self == .none && !isEmptyPage ? .others : self
    }
}

extension StoredResource {
    /// Where a complete cached list is in the server's feed, and in the store.
    struct State {
        fileprivate let position: SnapshotPosition
        let cursor: String?
        let fetchedAt: Timestamp
        /// When the list was last loaded by a request of its own.
        let loadedAt: Timestamp
        /// The time in the last record; nil if that of the snapshot counts.
        fileprivate let recordedLoad: Timestamp?
    }

    /// The state of the cached list; nil if no complete list is cached.
    func state() -> State? {
        guard let tail = try? store.tail(of: name, after: nil) else { return nil }
        let metadata = SnapshotMetadata(tail.metadata)
        // The feed shows what concerns the present credentials, so it must not change the list of others.
        guard ownership(of: metadata) == .own, !metadata.isPart else { return nil }
        let last = tail.records.last { !$0.isEmpty }.flatMap { try? ListRecord<Codec>($0) }
        return State(
            position: tail.position,
            cursor: last?.cursor ?? metadata.cursor,
            fetchedAt: tail.savedAt,
            loadedAt: last?.loadedAt ?? metadata.loadedAt ?? Self.neverLoaded,
            recordedLoad: last?.loadedAt
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
        var record = record
        // Only the last record is read to find out when the list was loaded.
        record.loadedAt = state.recordedLoad
        if isPersonal, !record.deleted.isEmpty,
            let isStored = try rewrite(applying: record, after: state, fetchedAt: fetchedAt)
        {
            return isStored
        }
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

    /// Writes the list with the changes applied, so that nothing of deleted elements remains in the file.
    /// Returns false if the cached list has been changed since `state`, and nil if it cannot be read.
    private func rewrite(
        applying record: ListRecord<Codec>,
        after state: State,
        fetchedAt: Timestamp
    ) throws -> Bool? {
        guard let (current, position) = try store.loadWithPosition(name) else { return false }
        guard position == state.position else { return false }
        guard var list = try? decode(current) else { return nil }
        let metadata = SnapshotMetadata(current.metadata)
        let own = Set(metadata.own.compactMap { Codec.ElementID($0.description) })
        list.value = try record.applied(to: list.value, unlessOlderThan: own)
        list.cursor = record.cursor ?? list.cursor
        list.loadedAt = record.loadedAt ?? list.loadedAt
        (list.fetchedAt, list.validators) = (fetchedAt, nil)
        let changed = snapshot(of: list, own: metadata.own, owner: metadata.owner)
        return try store.replace(name, with: changed) {
            guard let tail = try? store.tail(of: name, after: position) else { return false }
            return !tail.isWhole && tail.records.isEmpty
        }
    }

    /// Writes the list with all changes applied. A list that cannot be read stays as it is.
    private func compact() throws(StoreError) {
        try store.update(name) { current in
            guard let current, let cached = try? decode(current) else { return nil }
            let metadata = SnapshotMetadata(current.metadata)
            return snapshot(of: cached, own: metadata.own, owner: metadata.owner)
        }
    }
}
