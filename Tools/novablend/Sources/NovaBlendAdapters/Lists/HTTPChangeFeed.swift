import Contract
import Domain
import JSON
package import Networking
import NovaBlendAccounts
package import Persistence
import Synchronization

/// A server's feed of changes (`GET /changes`).
///
/// What the server, or anything in between, answers never fails a call: it is a valid page of changes,
/// or it is no answer, and then the list is loaded without the feed.
package struct HTTPChangeFeed: Sendable {
    /// What has changed since a cursor, as the server sent it.
    struct Page {
        /// The cursor for the next request.
        let cursor: String
        /// Whether there are more changes that were made before the request; nil if the server does not
        /// say it.
        let hasMore: Bool?
        /// The kind and the id of each deleted element.
        let deleted: [(kind: String, id: JSONValue)]
        /// Whether nothing has changed, whichever list the caller needs.
        let isEmpty: Bool
        /// The members of the response.
        let object: JSONObject
    }

    /// The answer to a request.
    enum Answer {
        case page(Page)
        /// The server does not know all changes since the cursor.
        case tooOld
        /// There is no valid answer.
        case failed(FeedFailure)
    }

    /// The maximum size of a cursor. A longer cursor is not stored.
    private static let maximumCursorSize = 4_096
    private static let cursorHeader = "Changes-Cursor"
    /// The time for a request that does not wait. A call goes on without the feed after that.
    private static let timeout = Duration.seconds(5)
    /// How much longer than the server waits the client waits for its answer.
    private static let waitMargin = Duration.seconds(10)

    private let url: String?
    private let client: any HTTPClient
    private let waiter: any HTTPClient
    private var limits: ListLimits
    private let pause: FeedPause?
    private let experience = FeedExperience()

    /// Creates a feed. If the URL is nil, no request is sent.
    ///
    /// - Parameters:
    ///   - client: Sends the requests that do not wait. It must not repeat them.
    ///   - waiter: Sends the requests that wait for a change, so the server may take up to
    ///     ``maximumWait`` to respond.
    ///   - store: Where it is stored that the feed is left alone; nil for nowhere.
    package init(
        url: String?,
        client: any HTTPClient,
        waiter: any HTTPClient,
        limits: ListLimits,
        store: (any SnapshotStore)? = nil
    ) {
        (self.url, self.client, self.waiter) = (url, client, waiter)
        self.limits = limits
        pause = url.flatMap { url in store.map { FeedPause(of: url, in: $0) } }
    }

    /// The feed for lists with these limits.
    package func limited(to limits: ListLimits) -> HTTPChangeFeed {
        var feed = self
        feed.limits = limits
        return feed
    }

    /// How long a server waits at most for a change.
    package static let maximumWait = Duration.seconds(25)

    /// Whether the feed is configured, and is not left alone.
    func isAvailable(at now: Timestamp) -> Bool {
        guard url != nil, let pause else { return url != nil }
        let end = pause.isOver(at: now)
        experience.set(hasPaused: end != nil)
        return end ?? true
    }

    /// Leaves the feed alone for a while.
    func avoid(after failure: FeedFailure, at now: Timestamp) {
        pause?.begin(after: failure, at: now)
    }

    /// Notes that the feed works.
    func succeeded() { if experience.hasPaused { pause?.end() } }

    /// The cursor that came with a list; nil if it cannot be stored, or the list has none.
    static func cursor(of list: HTTPResponse) -> String? {
        list.headers[cursorHeader].flatMap { isValid($0) ? $0 : nil }
    }

    /// What has changed in the list of `kind` since `cursor`. If nothing has, the server waits for the
    /// next change, for `wait` or ``maximumWait`` at most, whichever is shorter, and not longer than
    /// what is in between lets it.
    func changes(
        to kind: String,
        since cursor: String,
        waiting wait: Duration
    ) async throws(CancellationError) -> Answer {
        let wait = min(wait, Self.maximumWait, experience.longestWait)
        guard wait >= .seconds(1) else { return try await changes(to: kind, since: cursor) }
        let start = ContinuousClock.now
        let answer = try await request(kind, cursor, wait)
        guard case .failed(.noAnswer) = answer else { return answer }
        // A proxy may have cut the wait. Whether the feed works shows a request that does not wait.
        let waited = start.duration(to: .now)
        let next = try await changes(to: kind, since: cursor)
        if case .failed = next { return next }
        experience.waitFailed(after: waited, of: wait)
        return next
    }

    private func changes(
        to kind: String,
        since cursor: String
    ) async throws(CancellationError) -> Answer {
        try await request(kind, cursor, .zero)
    }

    /// Sends a request, and once more without `kinds` if the server may not accept it.
    private func request(
        _ kind: String,
        _ cursor: String,
        _ wait: Duration
    ) async throws(CancellationError) -> Answer {
        var items = [(name: "since", value: cursor)]
        let seconds = wait.components.seconds
        if seconds > 0 { items.append((name: "wait", value: "\(seconds)")) }
        guard experience.acceptsKinds else { return Self.answer(try await send(items, wait)) }
        let response = try await send(items + [(name: "kinds", value: "\(kind)s")], wait)
        guard let status = response?.status, status == 400 || status == 422 else {
            return Self.answer(response)
        }
        let plain = Self.answer(try await send(items, wait))
        if case .page = plain { experience.kindsFailed() }
        return plain
    }

    /// The response; nil if there is none.
    private func send(
        _ items: [(name: String, value: String)],
        _ wait: Duration
    ) async throws(CancellationError) -> HTTPResponse? {
        guard let url else { return nil }
        var request = HTTPRequest(
            method: .get,
            url: EndpointURL(url).adding(items).text,
            headers: ["Accept": "application/json", "Cache-Control": "no-cache"]
        )
        request.staysOnOrigin = true
        request.maximumResponseBytes = limits.maximumBytes
        request.totalTimeout = min(Self.timeout, limits.pageTimeout / 4)
        if wait > .zero { request.totalTimeout = wait + Self.waitMargin }
        let response = try? await (wait > .zero ? waiter : client).send(request)
        if Task.isCancelled { throw CancellationError() }
        return response
    }

    private static func answer(_ response: HTTPResponse?) -> Answer {
        guard let response else { return .failed(.noAnswer()) }
        switch response.status {
        // What a cache has kept may say that nothing has changed although something has.
        case 200 where response.age ?? 0 > 0: return .failed(.noAnswer())
        case 200: return (try? page(response)).map { .page($0) } ?? .failed(.noAnswer())
        case 410: return .tooOld
        case 404, 405, 501: return .failed(.unsupported)
        default:
            return .failed(.noAnswer(retryAfterSeconds: response.retryAfterSeconds))
        }
    }

    private static func page(_ response: HTTPResponse) throws(JSONError) -> Page? {
        let limits = JSONLimits(maximumBytes: response.body.count)
        let document = try JSONDocument(received: response.body, limits: limits)
        let object = try document.root.object()
        let cursor = try object.required("cursor").string()
        guard isValid(cursor) else { return nil }
        var deleted: [(kind: String, id: JSONValue)] = []
        for deletion in try object.required("deleted").array() {
            let deletion = try deletion.object()
            deleted.append(
                (try deletion.required("kind").string(), try deletion.required("id"))
            )
        }
        let changed = [SalonListCodec.name, AppointmentListCodec.name].contains { name in
            ((try? object.optional(named: name)?.array().count) ?? 0) > 0
        }
        return Page(
            cursor: cursor,
            hasMore: try object.optional("more")?.bool(),
            deleted: deleted,
            isEmpty: deleted.isEmpty && !changed,
            object: object
        )
    }

    private static func isValid(_ cursor: String) -> Bool {
        (1...maximumCursorSize).contains(cursor.utf8.count) && !cursor.utf8.contains(0x0A)
    }
}

/// What a process has learned about the feed, and what is in between.
private final class FeedExperience: Sendable {
    private struct State {
        var acceptsKinds = true
        var hasPaused = false
        /// The longest wait, and until when it counts.
        var limit: (wait: Duration, end: ContinuousClock.Instant)?
    }

    /// For how long waits are shorter after one was cut. Then a long one is tried again, because the
    /// failure may have had another cause.
    private static let memory = Duration.seconds(120)

    private let state = Mutex(State())

    /// Whether the server may accept the parameter `kinds`.
    var acceptsKinds: Bool { state.withLock(\.acceptsKinds) }

    /// The server does not accept the parameter `kinds`.
    func kindsFailed() { state.withLock { $0.acceptsKinds = false } }

    /// Whether a pause of the feed is stored.
    var hasPaused: Bool { state.withLock(\.hasPaused) }

    func set(hasPaused: Bool) { state.withLock { $0.hasPaused = hasPaused } }

    /// How long the server may wait.
    var longestWait: Duration {
        state.withLock { state in
            guard let limit = state.limit, ContinuousClock.now < limit.end else {
                return HTTPChangeFeed.maximumWait
            }
            return limit.wait
        }
    }

    /// A request failed after a time, although the feed works. Later ones wait less than that, and at
    /// most half as long. If the shortest wait failed, they do not wait at all.
    func waitFailed(after waited: Duration, of wait: Duration) {
        let shortest = Duration.seconds(1)
        let limit = wait > shortest ? max(min(wait / 2, waited * 3 / 4), shortest) : .zero
        state.withLock { $0.limit = (limit, ContinuousClock.now + Self.memory) }
    }
}

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
