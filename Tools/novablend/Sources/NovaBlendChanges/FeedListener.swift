package import Domain
import NovaBlendAdapters
package import Persistence

/// Keeps lists up to date by their server's feed of changes, while a client is subscribed to them.
///
/// Of all processes that share the lists, one waits at the server: the leader, which holds a lock until
/// it ends in any way. The others see what it stores. A process that is suspended keeps its lock, so
/// the others ask the server themselves if nothing is stored for a long time.
package struct FeedListener: Sendable {
    /// How long the server waits for a change.
    static let wait = HTTPChangeFeed.maximumWait
    /// The pause after a change, so that several changes are loaded together.
    static let interval = Duration.milliseconds(250)
    /// How often a process tries to become the leader.
    static let takeover = Duration.milliseconds(500)
    /// The age of a list, in seconds, at which a process that is not the leader asks the server
    /// itself. The leader stores the time of the first answer after 60 s, and an answer takes up to
    /// 25 s, so its lists are at most 85 s old.
    static let maximumAge: Int64 = 90
    /// How often it is checked whether a missing list has been loaded.
    static let loadInterval = Duration.seconds(1)
    /// How often it is checked whether a list has come from a server with a feed.
    static let idleInterval = Duration.seconds(30)
    /// The longest pause after a failure.
    static let maximumPause = Duration.seconds(60)
    /// The longest pause that a server can demand, in seconds.
    static let maximumDemand = 3_600
    /// The shortest time in which a server can have waited for a change. A server that answers
    /// earlier has not waited.
    private static let shortestWait = Duration.seconds(1)

    private let lists: [LiveList]
    private let locks: NamedLocks
    private let clock: any WallClock
    private let pauses: any Pausing
    private let status: ServerStatus

    /// Creates a listener. Processes with the same `locks` share the lists. It records the outcome of
    /// each request in `status`.
    package init(
        _ lists: [LiveList],
        locks: NamedLocks,
        clock: any WallClock,
        pauses: any Pausing = SystemPauses(),
        status: ServerStatus
    ) {
        (self.lists, self.locks, self.clock, self.pauses) = (lists, locks, clock, pauses)
        self.status = status
    }

    /// Requests the list `name`, unless it follows the changes. Returns false for other resources.
    func poll(_ name: String) async -> Bool {
        guard let list = lists.first(where: { $0.name == name }) else { return false }
        var failures = 0
        if !list.isFollowing {
            _ = await attempt(&failures) { () throws(ServerError) in try await list.update(.zero) }
        }
        return true
    }

    /// Listens until the task is cancelled. `subscribed` returns the names of the lists to which a
    /// client is subscribed.
    func run(_ subscribed: @Sendable () -> Set<String>) async {
        var (lock, failures) = (NamedLocks.Lock?.none, 0)
        while !Task.isCancelled {
            let names = subscribed()
            let wanted = lists.filter { names.contains($0.name) }
            let pause: Duration
            if !wanted.isEmpty, lists.contains(where: \.isFollowing) {
                if lock == nil { lock = try? locks.take("feed") }
                pause = await lock == nil ? observe(wanted, &failures) : lead(names, &failures)
            } else {
                lock = nil
                pause = wanted.contains(where: \.isMissing) ? Self.loadInterval : Self.idleInterval
            }
            guard (try? await pauses.pause(for: pause)) != nil else { return }
        }
    }

    /// Acts as the leader: waits at the server for a change and updates the lists. Returns how long to
    /// pause afterward.
    private func lead(_ names: Set<String>, _ failures: inout Int) async -> Duration {
        // Cached lists are followed even if this process is not subscribed to them, because other
        // processes may be.
        let lists = lists.filter { $0.isFollowing || ($0.isMissing && names.contains($0.name)) }
        guard !lists.isEmpty else { return Self.idleInterval }
        // After a failure, begin with a different list: if one list cannot be loaded, the others
        // may.
        let first = failures % lists.count
        // During an outage, do not let the server wait, so that its answer shows at once that it is
        // back.
        let wait = status.isOffline ? .zero : Self.wait
        let start = ContinuousClock.now
        return await attempt(&failures) { () throws(ServerError) in
            var changes = try await lists[first].update(wait)
            if changes == .none, wait > .zero, start.duration(to: .now) < Self.shortestWait {
                changes = .unknown
            }
            for index in lists.indices where index != first {
                let others = try await lists[index].update(.zero)
                if others == .unknown { changes = .unknown }
            }
            return changes
        }
    }

    /// Asks the server if the leader does not seem to do it. Returns how long to pause afterward.
    private func observe(_ lists: [LiveList], _ failures: inout Int) async -> Duration {
        let outdated = lists.filter { list in
            guard case .following(let time) = list.state() else { return list.isMissing }
            return clock.now.seconds(since: time) > Self.maximumAge
        }
        if outdated.isEmpty { return Self.takeover }
        let pause = await attempt(&failures) { () throws(ServerError) in
            for list in outdated where try await list.update(.zero) == .unknown { return .unknown }
            return .some
        }
        return max(pause, Self.takeover)
    }

    /// Runs `update`, records its outcome, and returns how long to pause afterward: longer after each
    /// failure, and as long as the server demands, but at most an hour.
    private func attempt(
        _ failures: inout Int,
        _ update: () async throws(ServerError) -> FollowedChanges
    ) async -> Duration {
        do throws(ServerError) {
            let changes = try await update()
            status.record(nil)
            switch changes {
            case .none: failures = 0
            case .some, .others:
                failures = 0
                return Self.interval
            case .unknown:
                failures += 1
                return failures == 1 ? Self.interval : Self.pause(after: failures)
            }
            return .zero
        } catch {
            failures += 1
            if !Task.isCancelled { status.record(error) }
            if case .unavailable(_, let seconds?) = error {
                return .seconds(min(seconds, Self.maximumDemand))
            }
            return Self.pause(after: failures)
        }
    }

    /// The pause after a number of failures: 1 s, 2 s, 4 s, and so on up to a minute, less up to a
    /// quarter, so that many clients of a server do not all come back at once.
    private static func pause(after failures: Int) -> Duration {
        let pause = min(.seconds(1 << min(failures - 1, 10)), maximumPause)
        return pause * Double.random(in: 0.75...1)
    }
}
