package import Domain
import NovaBlendAdapters
package import Persistence
import Synchronization

/// Keeps a list up to date while a client is subscribed to it: by its server's feed of changes, and by
/// requests for the list where that does not work.
///
/// Of all processes that share the list, one asks the server: the leader, which holds a lock until it
/// ends in any way. The others see what it stores: the list, and that the server does not answer. A
/// process that is suspended keeps its lock, so the others ask the server themselves if nothing is
/// stored for a long time.
package struct FeedListener: Sendable {
    /// How long the server waits for a change.
    static let wait = HTTPChangeFeed.maximumWait
    /// The pause after a change, so that several changes are loaded together.
    static let interval = Duration.milliseconds(250)
    /// The pause after an answer that has only other lists' changes, from a server that does not
    /// limit its answers to this one.
    static let otherInterval = Duration.seconds(1)
    /// How often a process tries to become the leader.
    static let takeover = Duration.milliseconds(500)
    /// The age of a list, in seconds, at which a process that is not the leader asks the server
    /// itself. The leader stores the time of the first answer after 60 s, and an answer takes up to
    /// 25 s, so its lists are at most 85 s old.
    static let maximumAge: Int64 = 90
    /// How often it is checked whether the list can follow the feed.
    static let checkInterval = Duration.seconds(1)
    /// How often a list is requested that does not follow the feed, and how often a feed is asked that
    /// does not wait.
    package static let pollInterval = Duration.seconds(30)
    /// The longest pause after a failure.
    static let maximumPause = Duration.seconds(60)
    /// The longest pause that a server can demand, in seconds.
    static let maximumDemand = 3_600
    /// The shortest time in which a server can have waited for a change. A server that answers
    /// earlier has not waited.
    private static let shortestWait = Duration.seconds(1)

    /// The lock of the leader; nil in the other processes.
    private final class Leadership: Sendable {
        let lock = Mutex<NamedLocks.Lock?>(nil)
    }

    private let list: LiveList
    private let locks: NamedLocks
    private let leadership = Leadership()
    private let shared: SharedOutage
    private let clock: any WallClock
    private let pauses: any Pausing
    private let status: ServerStatus

    /// Creates a listener. Processes with the same `locks` and `store` share the list. The outcome of
    /// each request is set in `status`.
    package init(
        _ list: LiveList,
        locks: NamedLocks,
        store: any SnapshotStore,
        clock: any WallClock,
        pauses: any Pausing = SystemPauses(),
        status: ServerStatus
    ) {
        (self.list, self.locks, self.clock, self.pauses) = (list, locks, clock, pauses)
        shared = SharedOutage(of: list.name, in: store)
        self.status = status
    }

    /// The name of the list.
    var name: String { list.name }

    /// Requests the list, unless it follows the feed, or another process requests it.
    func poll() async {
        guard isLeader, !list.isFollowing else { return }
        var failures = 0
        _ = await attempt(.zero, &failures, next: Self.pollInterval)
    }

    /// Listens until the task is cancelled, while a client is subscribed to the list.
    func run(_ isSubscribed: @Sendable () -> Bool) async {
        defer { leadership.lock.withLock { $0 = nil } }
        var failures = 0
        while !Task.isCancelled {
            let pause: Duration
            if !isSubscribed() {
                leadership.lock.withLock { $0 = nil }
                pause = Self.checkInterval
            } else if becomeLeader() {
                pause = await lead(&failures)
            } else {
                pause = await observe(&failures)
            }
            guard (try? await pauses.pause(for: pause)) != nil else { return }
        }
    }

    private var isLeader: Bool { leadership.lock.withLock { $0 != nil } }

    /// Whether this process is the leader now.
    private func becomeLeader() -> Bool {
        if isLeader { return true }
        guard let lock = try? locks.take(list.name) else { return false }
        leadership.lock.withLock { $0 = lock }
        // What a process that has ended has stored need not be true any more. If this process has
        // reported it, it finds out.
        if status.outage(of: list.name) == nil { shared.remove() }
        return true
    }

    /// Acts as the leader: waits at the server for a change and updates the list. Returns how long to
    /// pause afterward.
    private func lead(_ failures: inout Int) async -> Duration {
        guard list.isFollowing else { return Self.checkInterval }
        // During an outage, do not let the server wait, so that its answer shows at once that it is
        // back.
        return await attempt(status.outage(of: list.name) == nil ? Self.wait : .zero, &failures)
    }

    /// Reports what the leader has stored. Asks the server if the leader does not seem to do it.
    /// Returns how long to pause afterward.
    private func observe(_ failures: inout Int) async -> Duration {
        let now = clock.now
        if let outage = shared.read(at: now) {
            status.set(outage, of: list.name)
            return Self.takeover
        }
        switch list.state() {
        case .following(let time), .unsupported(let time?):
            guard now.seconds(since: time) > Self.maximumAge else { break }
            return max(await attempt(.zero, &failures), Self.takeover)
        case .missing, .unsupported(nil): break
        }
        status.set(nil, of: list.name)
        return Self.takeover
    }

    /// Updates the list, sets the status, and returns how long to pause afterward: longer after each
    /// failure, and as long as the server demands, but at most an hour. If the pause does not decide
    /// when the server is asked again, `next` does.
    private func attempt(
        _ wait: Duration,
        _ failures: inout Int,
        next: Duration? = nil
    ) async -> Duration {
        let start = ContinuousClock.now
        do {
            let changes = try await list.update(wait)
            if Task.isCancelled { return .zero }
            end()
            let hasWaited = wait == .zero || start.duration(to: .now) >= Self.shortestWait
            return pause(after: changes, hasWaited: hasWaited, &failures)
        } catch {
            failures += 1
            let pause = Self.pause(after: error, failures)
            if !Task.isCancelled { begin(error, next: next ?? pause) }
            return pause
        }
    }

    private func pause(
        after changes: FollowedChanges,
        hasWaited: Bool,
        _ failures: inout Int
    ) -> Duration {
        switch changes {
        case .some, .others:
            failures = 0
            return changes == .some ? Self.interval : Self.otherInterval
        case .none where hasWaited:
            failures = 0
            return .zero
        case .none, .unknown, .failed:
            failures += 1
            return failures == 1
                ? Self.interval : Self.pause(after: failures, maximum: Self.pollInterval)
        }
    }

    /// Reports that the server answers.
    private func end() {
        guard status.outage(of: list.name) != nil else { return }
        if isLeader { shared.remove() }
        status.set(nil, of: list.name)
    }

    /// Reports that the list could not be requested. That is an outage unless the server has answered.
    private func begin(_ error: Failure, next: Duration) {
        switch error {
        case .connectivity, .unavailable: break
        default: return end()
        }
        let now = clock.now
        let outage = (since: status.outage(of: list.name)?.since ?? now, error: error)
        if isLeader {
            let next = now.advanced(bySeconds: next.components.seconds)
            shared.store(outage, next: next, at: now)
        }
        status.set(outage, of: list.name)
    }

    private static func pause(after error: Failure, _ failures: Int) -> Duration {
        switch error {
        case .connectivity(_, let seconds?), .unavailable(_, let seconds?):
            .seconds(min(max(seconds, 1), maximumDemand))
        default: pause(after: failures, maximum: maximumPause)
        }
    }

    /// The pause after a number of failures: 1 s, 2 s, 4 s, and so on up to a maximum, less up to a
    /// quarter, so that many clients of a server do not all come back at once.
    private static func pause(after failures: Int, maximum: Duration) -> Duration {
        let pause = min(.seconds(1 << min(failures - 1, 10)), maximum)
        return pause * Double.random(in: 0.75...1)
    }
}
