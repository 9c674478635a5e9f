import Domain
import DomainTestSupport
import NovaBlendAdapters
import Persistence
import PersistenceTestSupport
import Synchronization
import SystemTestSupport
import Testing

@testable import NovaBlendChanges

/// A list whose server answers as a test demands.
private final class FollowedListStub: FeedFollower {
    private struct Values {
        var state = FollowerState.missing
        var waits: [Duration] = []
        var answers: [FollowedChanges] = []
        /// The answer when there is no other.
        var standard = FollowedChanges.some
    }

    private let values: Mutex<Values>

    init(_ state: FollowerState) { values = Mutex(Values(state: state)) }

    var state: FollowerState { values.withLock(\.state) }

    /// How long the server was asked to wait by each request.
    var waits: [Duration] { values.withLock(\.waits) }

    func set(_ state: FollowerState) { values.withLock { $0.state = state } }

    func answer(_ answers: FollowedChanges..., then standard: FollowedChanges = .some) {
        values.withLock { ($0.answers, $0.standard) = (answers, standard) }
    }

    func follow(
        waiting wait: Duration,
        if isFresh: (Timestamp) -> Bool
    ) async throws(CancellationError) -> FollowedChanges {
        values.withLock { values in
            values.waits.append(wait)
            return values.answers.isEmpty ? values.standard : values.answers.removeFirst()
        }
    }

    func avoidFeed(after failure: FeedFailure) {}
}

/// The beginnings of the outages that were reported, and nil for each end of one.
private final class Outages: Sendable {
    private let reported = Mutex<[Timestamp?]>([])

    var all: [Timestamp?] { reported.withLock(\.self) }

    func add(_ since: Timestamp?) { reported.withLock { $0.append(since) } }
}

@Suite("The listener for changes at the server", .timeLimit(.minutes(10)))
struct FeedListenerTests {
    private let directory: TemporaryDirectory
    private let clock = ManualClock()
    private let store = InMemorySnapshotStore()
    private let salons: FollowedListStub
    private let server = ResourceAPIStub<[Int]>(.success([]))

    init() throws {
        directory = try TemporaryDirectory()
        salons = FollowedListStub(.following(since: clock.now))
    }

    /// A listener of a process that has the status.
    private func listener(
        _ pauses: ManualPauses,
        _ status: ServerStatus = ServerStatus()
    ) -> FeedListener {
        let loader = ResourceLoader(
            policy: .salons,
            server: server,
            cache: CacheSpy<[Int]>(),
            clock: clock,
            emptyValue: nil,
            follower: salons
        )
        return FeedListener(
            LiveList("salons", loader),
            locks: NamedLocks(directory: directory.path, name: "feed"),
            store: store,
            clock: clock,
            pauses: pauses,
            status: status
        )
    }

    /// The outages that `status` reports.
    private func outages(of status: ServerStatus) -> Outages {
        let outages = Outages()
        status.observe { outages.add($0?.since) }
        return outages
    }

    /// Runs a listener until `body` returns.
    private func run(
        _ listener: FeedListener,
        isSubscribed: Bool = true,
        _ body: () async throws -> Void
    ) async rethrows {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await listener.run { isSubscribed } }
            try await body()
            group.cancelAll()
        }
    }

    /// Ends the pauses up to this number.
    private func endPauses(_ numbers: ClosedRange<Int>, _ pauses: ManualPauses) async {
        for number in numbers {
            await pauses.wait(for: number)
            pauses.endAll()
        }
        await pauses.wait(for: numbers.upperBound + 1)
    }

    @Test("lets the server wait for the next change, and changes that come together are one")
    func waits() async {
        let pauses = ManualPauses()
        await run(listener(pauses)) { await endPauses(1...3, pauses) }
        #expect(salons.waits == Array(repeating: .seconds(25), count: 4))
        #expect(pauses.requested == Array(repeating: .milliseconds(250), count: 4))
        #expect(server.calls == 0)
    }

    @Test("asks once a second if there are always changes of other lists only")
    func others() async {
        let pauses = ManualPauses()
        salons.answer(then: .others)
        await run(listener(pauses)) { await endPauses(1...3, pauses) }
        #expect(pauses.requested == Array(repeating: .seconds(1), count: 4))
    }

    @Test("requests nothing without a feed, or without a subscribed client")
    func nothing() async {
        let pauses = ManualPauses()
        await run(listener(pauses), isSubscribed: false) { await endPauses(1...1, pauses) }
        salons.set(.unsupported())
        await run(listener(pauses)) { await endPauses(3...3, pauses) }
        salons.set(.missing)
        await run(listener(pauses)) { await endPauses(5...5, pauses) }
        #expect(salons.waits.isEmpty && server.calls == 0)
        #expect(pauses.requested == Array(repeating: .seconds(1), count: 6))
    }

    @Test("requests the list when it is polled, unless it follows the feed or another process does")
    func polled() async {
        let (first, second) = (ManualPauses(), ManualPauses())
        let (leader, other) = (listener(first), listener(second))
        salons.set(.unsupported())
        salons.answer(then: .unknown)
        await leader.poll()
        #expect(server.calls == 0)
        await run(leader) {
            await first.wait()
            await run(other) {
                await second.wait()
                await other.poll()
                #expect(server.calls == 0)
                await leader.poll()
                #expect(server.calls == 1)
                salons.set(.following(since: clock.now))
                await leader.poll()
                #expect(server.calls == 1)
            }
        }
    }

    @Test("pauses longer after each failure, up to a minute, and as long as the server demands")
    func failures() async throws {
        let (pauses, status) = (ManualPauses(), ServerStatus())
        let outages = outages(of: status)
        server.answer(.failure(.connectivity(reason: "down")))
        salons.answer(then: .failed(.noAnswer()))
        let start = clock.now
        await run(listener(pauses, status)) {
            for number in 1...9 {
                await pauses.wait(for: number)
                clock.advance(bySeconds: 1)
                pauses.endAll()
            }
            await pauses.wait(for: 10)
            server.answer(.failure(.unavailable(reason: "busy", retryAfterSeconds: 7)))
            await endPauses(10...10, pauses)
            server.answer(.success([]))
            await endPauses(11...11, pauses)
        }
        for (number, pause) in pauses.requested.prefix(10).enumerated() {
            let longest = Duration.seconds(min(1 << number, 60))
            #expect((longest * 0.75...longest).contains(pause), "\(number): \(pause)")
        }
        #expect(pauses.requested[10] == .seconds(7))
        // Until the server answers again, it need not wait.
        #expect(salons.waits.count { $0 > .zero } == 1)
        // It was reported when the first request failed, and when one succeeded.
        #expect(outages.all == [start, nil])
    }

    @Test("pauses at most an hour, whatever the server demands", arguments: [3_599, 3_600, 3_601])
    func demand(seconds: Int) async {
        let pauses = ManualPauses()
        server.answer(.failure(.unavailable(reason: "busy", retryAfterSeconds: seconds)))
        salons.answer(then: .unknown)
        await run(listener(pauses)) { await pauses.wait() }
        #expect(pauses.requested == [.seconds(min(seconds, 3_600))])
    }

    @Test(
        "reports no outage if the list was loaded, or the server rejected the request",
        arguments: [nil, .notAuthenticated(reason: "401"), .notAllowed(reason: "403")]
            as [Failure?]
    )
    func answered(error: Failure?) async {
        let (pauses, status) = (ManualPauses(), ServerStatus())
        let outages = outages(of: status)
        if let error { server.answer(.failure(error)) }
        salons.answer(then: .failed(.noAnswer()))
        await run(listener(pauses, status)) { await endPauses(1...5, pauses) }
        #expect(outages.all.isEmpty && server.calls == 6)
        // A server that is asked all the time is not asked more and more.
        #expect(pauses.requested[5] >= .seconds(15))
    }

    @Test("asks a server that does not wait every 30 s")
    func impatient() async {
        let pauses = ManualPauses()
        salons.answer(then: FollowedChanges.none)
        await run(listener(pauses)) { await endPauses(1...9, pauses) }
        for pause in pauses.requested.suffix(4) {
            #expect((.milliseconds(22_500)...Duration.seconds(30)).contains(pause))
        }
    }

    @Test("leaves the waiting to one process, and takes over when that one has ended")
    func takeover() async {
        let (first, second) = (ManualPauses(), ManualPauses())
        await run(listener(first)) {
            await first.wait()
            await run(listener(second)) { await endPauses(1...3, second) }
        }
        #expect(salons.waits == [.seconds(25)])
        #expect(second.requested == Array(repeating: .milliseconds(500), count: 4))
        await run(listener(second)) { await second.wait(for: 5) }
        #expect(salons.waits == [.seconds(25), .seconds(25)])
    }

    @Test("reports an outage and its end in every process, although one asks the server")
    func sharedOutage() async {
        let (first, second) = (ManualPauses(), ManualPauses())
        let statuses = [ServerStatus(), ServerStatus()]
        let reports = statuses.map(outages)
        server.answer(.failure(.unavailable(reason: "down")))
        salons.answer(.some, then: .failed(.noAnswer()))
        let start = clock.now
        await run(listener(first, statuses[0])) {
            await first.wait()
            await run(listener(second, statuses[1])) {
                await second.wait()
                #expect(reports.map(\.all) == [[], []])
                await endPauses(1...1, first)
                // The list is old, but the leader asks the server.
                clock.advance(bySeconds: 40)
                await endPauses(1...1, second)
                #expect(reports.map(\.all) == [[start], [start]])
                #expect(statuses[1].outage(of: "salons")?.error.description == "down")
                salons.answer(then: .some)
                await endPauses(2...2, first)
                await endPauses(2...2, second)
                #expect(reports.map(\.all) == [[start, nil], [start, nil]])
            }
        }
        #expect(salons.waits.count == 3)
    }

    @Test("does not believe an outage that a process has stored that has ended")
    func staleOutage() async {
        let (first, second) = (ManualPauses(), ManualPauses())
        server.answer(.failure(.connectivity(reason: "down")))
        salons.answer(then: .failed(.noAnswer()))
        await run(listener(first)) { await first.wait() }
        let status = ServerStatus()
        let reports = outages(of: status)
        salons.answer(then: .some)
        await run(listener(second, status)) { await second.wait() }
        #expect(reports.all.isEmpty)
    }

    @Test(
        "asks the server itself if the leader has stored nothing for more than 90 s",
        arguments: [90, 91, -100]
    )
    func suspendedLeader(age: Int64) async {
        let (first, second) = (ManualPauses(), ManualPauses())
        await run(listener(first)) {
            await first.wait()
            clock.advance(bySeconds: age)
            await run(listener(second)) { await second.wait() }
        }
        #expect(salons.waits == (age > 90 ? [.seconds(25), .zero] : [.seconds(25)]))
    }
}
