import Domain
import DomainTestSupport
import NovaBlendAdapters
import Persistence
import Synchronization
import SystemTestSupport
import Testing

@testable import NovaBlendChanges

/// A list whose server answers as a test demands.
private final class FollowedListStub: FeedFollower {
    private struct Values {
        var state = FollowerState.missing
        var waits: [Duration] = []
        var answers: [Result<FollowedChanges, ServerError>] = []
        /// The answer when there is no other.
        var standard: Result<FollowedChanges, ServerError> = .success(.some)
    }

    private let values: Mutex<Values>

    init(_ state: FollowerState) { values = Mutex(Values(state: state)) }

    var state: FollowerState { values.withLock(\.state) }

    /// How long the server was asked to wait by each request.
    var waits: [Duration] { values.withLock(\.waits) }

    func set(_ state: FollowerState) { values.withLock { $0.state = state } }

    func answer(
        _ answers: Result<FollowedChanges, ServerError>...,
        then standard: Result<FollowedChanges, ServerError> = .success(.some)
    ) {
        values.withLock { ($0.answers, $0.standard) = (answers, standard) }
    }

    func follow(
        waiting wait: Duration,
        if isFresh: (Timestamp) -> Bool
    ) async throws(ServerError) -> FollowedChanges {
        try values.withLock { values in
            values.waits.append(wait)
            return values.answers.isEmpty ? values.standard : values.answers.removeFirst()
        }.get()
    }
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
    private let status: ServerStatus
    private let salons: FollowedListStub
    private let appointments: FollowedListStub
    private let server = ResourceAPIStub<[Int]>(.success([]))

    init() throws {
        directory = try TemporaryDirectory()
        status = ServerStatus(clock: clock)
        salons = FollowedListStub(.following(since: clock.now))
        appointments = FollowedListStub(.following(since: clock.now))
    }

    private func list(_ name: String, _ follower: FollowedListStub) -> LiveList {
        LiveList(
            name,
            ResourceLoader(
                policy: .salons,
                server: server,
                cache: CacheSpy<[Int]>(),
                clock: clock,
                emptyValue: nil,
                follower: follower
            )
        )
    }

    private func listener(_ pauses: ManualPauses) -> FeedListener {
        FeedListener(
            [list("appointments", appointments), list("salons", salons)],
            locks: NamedLocks(directory: directory.path, name: "feed"),
            clock: clock,
            pauses: pauses,
            status: status
        )
    }

    /// Runs a listener until `body` returns.
    private func run(
        _ pauses: ManualPauses,
        _ names: Set<String> = ["salons"],
        _ body: () async throws -> Void
    ) async rethrows {
        let listener = listener(pauses)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await listener.run { names } }
            try await body()
            group.cancelAll()
        }
    }

    /// Ends the pause with this number.
    private func endPause(_ number: Int, _ pauses: ManualPauses) async {
        await pauses.wait(for: number)
        pauses.endAll()
    }

    @Test("lets the server wait for the next change of one list, and then updates the other")
    func waits() async {
        let pauses = ManualPauses()
        await run(pauses) {
            for number in 1...3 { await endPause(number, pauses) }
            await pauses.wait(for: 4)
        }
        #expect(appointments.waits == Array(repeating: .seconds(25), count: 4))
        #expect(salons.waits == Array(repeating: .zero, count: 4))
        #expect(pauses.requested == Array(repeating: .milliseconds(250), count: 4))
    }

    @Test("requests nothing if the server has no feed, or no client is subscribed")
    func nothing() async {
        let pauses = ManualPauses()
        await run(pauses, []) { await pauses.wait() }
        await run(pauses, ["menu"]) { await pauses.wait(for: 2) }
        salons.set(.unsupported)
        appointments.set(.unsupported)
        await run(pauses, ["salons"]) { await pauses.wait(for: 3) }
        salons.set(.missing)
        await run(pauses, ["salons"]) { await pauses.wait(for: 4) }
        #expect(salons.waits.isEmpty && appointments.waits.isEmpty && server.calls == 0)
        #expect(pauses.requested == [.seconds(30), .seconds(30), .seconds(30), .seconds(1)])
    }

    @Test(
        "loads a list that is not cached if a client is subscribed to it",
        arguments: [true, false]
    )
    func missing(isSubscribed: Bool) async {
        let pauses = ManualPauses()
        appointments.set(.missing)
        appointments.answer(.success(.unknown))
        await run(pauses, isSubscribed ? ["appointments"] : ["salons"]) { await pauses.wait() }
        #expect(appointments.waits == (isSubscribed ? [.seconds(25)] : []))
        #expect(server.calls == (isSubscribed ? 1 : 0))
        #expect(salons.waits == [isSubscribed ? .zero : .seconds(25)])
        #expect(pauses.requested == [.milliseconds(250)])
    }

    @Test("pauses longer after each failure, up to a minute, and as long as the server demands")
    func failures() async throws {
        let pauses = ManualPauses()
        let failure = ServerError.connectivity(reason: "down")
        appointments.answer(then: .failure(failure))
        salons.answer(then: .failure(failure))
        let outages = Outages()
        status.observe { outages.add($0?.since) }
        let start = clock.now
        status.record(nil)
        await run(pauses) {
            for number in 1...9 {
                await pauses.wait(for: number)
                clock.advance(bySeconds: 1)
                pauses.endAll()
            }
            await pauses.wait(for: 10)
            let demand = ServerError.unavailable(reason: "busy", retryAfterSeconds: 7)
            appointments.answer(.failure(demand))
            salons.answer(.failure(demand))
            for number in 10...13 { await endPause(number, pauses) }
            await pauses.wait(for: 14)
        }
        for (number, pause) in pauses.requested.prefix(10).enumerated() {
            let longest = Duration.seconds(min(1 << number, 60))
            #expect((longest * 0.75...longest).contains(pause), "\(number): \(pause)")
        }
        #expect(pauses.requested[10] == .seconds(7))
        // Until the server answers again, it need not wait.
        #expect((appointments.waits + salons.waits).count { $0 > .zero } == 2)
        // It was reported when the first request failed, and when one succeeded.
        #expect(outages.all == [start, nil])
    }

    @Test("pauses at most an hour, whatever the server demands", arguments: [3_599, 3_600, 3_601])
    func demand(seconds: Int) async {
        let pauses = ManualPauses()
        let demand = ServerError.unavailable(reason: "busy", retryAfterSeconds: seconds)
        appointments.answer(.failure(demand))
        await run(pauses) { await pauses.wait() }
        #expect(pauses.requested == [.seconds(min(seconds, 3_600))])
    }

    @Test("pauses longer and longer if the server answers at once that nothing has changed")
    func impatient() async {
        let pauses = ManualPauses()
        appointments.answer(then: .success(.none))
        salons.answer(then: .success(.none))
        await run(pauses) {
            for number in 1...9 { await endPause(number, pauses) }
            await pauses.wait(for: 10)
        }
        #expect(pauses.requested.last.map { $0 >= .seconds(45) } == true)
    }

    @Test("leaves the waiting to one process, and takes over when that one has ended")
    func takeover() async {
        let (first, second) = (ManualPauses(), ManualPauses())
        await run(first) {
            await first.wait()
            await run(second) {
                for number in 1...3 { await endPause(number, second) }
                await second.wait(for: 4)
            }
        }
        #expect(appointments.waits == [.seconds(25)])
        #expect(second.requested == Array(repeating: .milliseconds(500), count: 4))
        await run(second) { await second.wait(for: 5) }
        #expect(appointments.waits == [.seconds(25), .seconds(25)])
    }

    @Test(
        "asks the server itself if the leader has stored nothing for more than 90 s",
        arguments: [90, 91]
    )
    func suspendedLeader(age: Int64) async {
        let (first, second) = (ManualPauses(), ManualPauses())
        await run(first) {
            await first.wait()
            clock.advance(bySeconds: age)
            await run(second) { await second.wait() }
        }
        #expect(salons.waits == (age > 90 ? [.zero, .zero] : [.zero]))
        #expect(appointments.waits == [.seconds(25)])
    }
}
