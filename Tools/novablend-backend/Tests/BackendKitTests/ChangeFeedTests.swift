import BookingStorage
import BookingStorageTestSupport
import Contract
import Domain
import DomainTestSupport
import Foundation
import HTTPServing
import SQLiteStorage
import Synchronization
import Testing

@testable import BackendKit

@Suite("Clients that wait for changes", .timeLimit(.minutes(10)))
struct ChangeFeedTests {
    private let store: SQLiteBookingStore
    private let feed: ChangeFeed
    /// How many bodies were created.
    private let bodies = Counter()

    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    init() throws {
        let salons = [Samples.salon()]
        store = try SQLiteBookingStore(path: ":memory:", clock: ManualClock(), newSalons: salons)
        feed = Self.feed(store, maximumWaiting: 2_000, bodies)
    }

    private static func feed(
        _ store: SQLiteBookingStore,
        maximumWaiting: Int,
        _ bodies: Counter = Counter()
    ) -> ChangeFeed {
        ChangeFeed(store: store, maximumWaiting: maximumWaiting) { page, _ in
            bodies.count.add(1, ordering: .relaxed)
            return Array("\(page.cursor.number) \(page.changes.count)".utf8)
        }
    }

    private func book(_ hours: Int64) async throws {
        try await store.book(Samples.booking(hours: hours), as: nil, minutes: 30)
    }

    private func wait(
        _ cursor: ChangeCursor,
        for role: Principal.Role = .administrator,
        seconds: Int = 300
    ) async throws -> String {
        let body = try await feed.body(
            after: cursor,
            in: ChangeScope(role),
            waitingFor: .seconds(seconds)
        )
        return String(decoding: body, as: UTF8.self)
    }

    @Test("2,000 clients at one position share one query")
    func shared() async throws {
        defer { store.close() }
        let first = try await feed.latest()
        try await book(0)
        let second = try await feed.latest()
        // Clients at the first position are answered at once.
        #expect(try await wait(first) == "1 1")
        let before = bodies.count.load(ordering: .relaxed)
        let results = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<2_000 { group.addTask { try await wait(second) } }
            try await feed.waitForClients(2_000)
            try await book(1)
            feed.noticeChange()
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(results == ["2 1": 2_000])
        #expect(bodies.count.load(ordering: .relaxed) == before + 1)
    }

    @Test("a client waits for what it may see, and then has a position after the rest")
    func visibility() async throws {
        defer { store.close() }
        let cursor = try await feed.latest()
        let phone = Samples.booking().caller
        let roles: [Principal.Role] = [
            .customer(phone: phone), .staff(of: Samples.salonID()), .administrator,
            .customer(phone: "1"), .staff(of: Samples.salonID(9)),
        ]
        let tasks = roles.map { role in Task { try await wait(cursor, for: role) } }
        try await feed.waitForClients(5)
        try await book(0)
        feed.noticeChange()
        for task in tasks.prefix(3) { #expect(try await task.value == "1 1") }
        try await feed.waitForClients(2)
        // A client that arrives late waits with those that were moved.
        let late = Task { try await wait(cursor, for: .customer(phone: "1")) }
        try await feed.waitForClients(3)
        try await book(1)
        try await store.put(Samples.salon(), if: .present)
        feed.noticeChange()
        for task in tasks.suffix(2) + [late] { #expect(try await task.value == "3 1") }
    }

    @Test("a client passes over any number of changes that it may not see", arguments: 1...4)
    func invisible(pageLimit: Int) async throws {
        defer { store.close() }
        let feed = ChangeFeed(store: store, maximumWaiting: 2, pageLimit: pageLimit) { page, _ in
            Array("\(page.cursor.number) \(page.changes.count)".utf8)
        }
        let cursor = try await feed.latest()
        let role = Principal.Role.customer(phone: "12345")
        let waiting = Task {
            try await feed.body(after: cursor, in: ChangeScope(role), waitingFor: .seconds(300))
        }
        try await feed.waitForClients(1)
        for hour in 0..<7 { try await book(Int64(hour)) }
        // Reports all seven bookings at once.
        feed.noticeChange()
        let now = try await feed.body(after: cursor, in: ChangeScope(role), waitingFor: .zero)
        #expect(now == Array("7 0".utf8))
        try await store.book(Samples.booking(hours: 7, phone: "12345"), as: nil, minutes: 30)
        feed.noticeChange()
        #expect(try await waiting.value == Array("8 1".utf8))
    }

    @Test("a client waits for what it asks for, and then has a position after the rest")
    func kinds() async throws {
        defer { store.close() }
        let cursor = try await feed.latest()
        let scope = ChangeScope(.administrator, .salons)
        let waiting = Task {
            try await feed.body(after: cursor, in: scope, waitingFor: .seconds(300))
        }
        let other = Task {
            let scope = ChangeScope(.administrator, .appointments)
            return try await feed.body(after: cursor, in: scope, waitingFor: .seconds(300))
        }
        try await feed.waitForClients(2)
        try await book(0)
        feed.noticeChange()
        #expect(try await other.value == Array("1 1".utf8))
        try await feed.waitForClients(1)
        let now = try await feed.body(after: cursor, in: scope, waitingFor: .zero)
        #expect(now == Array("1 0".utf8))
        try await store.put(Samples.salon(), if: .present)
        feed.noticeChange()
        #expect(try await waiting.value == Array("2 1".utf8))
    }

    @Test("clients without a token can fill half of the room, and those of a network a part of it")
    func anonymous() async throws {
        let feed = Self.feed(store, maximumWaiting: 3)
        let cursor = try await feed.latest()
        let scope = ChangeScope(Principal.anonymous.role, .salons)
        func wait(_ network: String?) -> Task<[UInt8], any Error> {
            Task {
                try await feed.body(
                    after: cursor,
                    in: scope,
                    of: network,
                    waitingFor: .seconds(300)
                )
            }
        }
        let waiting = [wait("a"), wait("b")]
        try await feed.waitForClients(2)
        let problem = await #expect(throws: Problem.self) { try await wait("c").value }
        #expect(problem?.kind == .overloaded && problem?.response.headers["Retry-After"] == "5")
        // There is still room for a client with a token.
        let last = wait(nil)
        try await feed.waitForClients(3)
        for task in waiting + [last] { task.cancel() }
        for task in waiting + [last] { #expect(try await task.value == Array("0 0".utf8)) }
        let large = Self.feed(store, maximumWaiting: 1_000)
        let many = (0..<ChangeFeed.maximumPerNetwork).map { _ in
            Task {
                try await large.body(
                    after: cursor,
                    in: scope,
                    of: "a",
                    waitingFor: .seconds(300)
                )
            }
        }
        try await large.waitForClients(ChangeFeed.maximumPerNetwork)
        await #expect(throws: Problem.self) {
            try await large.body(after: cursor, in: scope, of: "a", waitingFor: .seconds(300))
        }
        store.close()
        for task in many { await #expect(throws: Problem.self) { try await task.value } }
        #expect(large.waitingCount == 0)
    }

    @Test("a change that no one reports is found, because clients wait")
    func unreported() async throws {
        defer { store.close() }
        let cursor = try await feed.latest()
        async let waiting = wait(cursor)
        try await feed.waitForClients(1)
        try await book(0)
        #expect(try await waiting == "1 1")
    }

    @Test("a change between the first query and the wait is found")
    func race() async throws {
        defer { store.close() }
        for hour in 0..<50 {
            let cursor = try await feed.latest()
            async let waiting = wait(cursor)
            try await book(Int64(hour))
            feed.noticeChange()
            let body = try await waiting
            #expect(body == "\(hour + 1) 1")
        }
    }

    @Test("a cancelled client is answered with its own position, also if it has not begun to wait")
    func cancelled() async throws {
        defer { store.close() }
        let cursor = try await feed.latest()
        for isWaiting in [true, false] {
            let task = Task { try await wait(cursor) }
            if isWaiting { try await feed.waitForClients(1) }
            task.cancel()
            #expect(try await task.value == "0 0")
        }
        #expect(feed.waitingCount == 0)
    }

    @Test("a client whose time has passed is answered, while others wait on")
    func expired() async throws {
        defer { store.close() }
        let cursor = try await feed.latest()
        async let other = wait(cursor)
        #expect(try await wait(cursor, seconds: 1) == "0 0")
        try await feed.waitForClients(1)
        try await book(0)
        #expect(try await other == "1 1")
    }

    private func wait(
        on feed: ChangeFeed,
        _ cursor: ChangeCursor,
        seconds: Int = 300
    ) -> Task<[UInt8], any Error> {
        Task { try await feed.body(after: cursor, waitingFor: .seconds(seconds)) }
    }

    /// Lets three clients wait at the position, and checks that there is no room for a fourth.
    private func fill(
        _ feed: ChangeFeed,
        _ cursor: ChangeCursor
    ) async throws -> [Task<[UInt8], any Error>] {
        let waiting = (0..<3).map { _ in wait(on: feed, cursor) }
        try await feed.waitForClients(3)
        let problem = await #expect(throws: Problem.self) {
            try await feed.body(after: cursor, waitingFor: .seconds(300))
        }
        #expect(problem?.kind == .overloaded && problem?.response.headers["Retry-After"] == "5")
        // A client that does not wait needs no room.
        let body = try await feed.body(after: cursor, waitingFor: .zero)
        #expect(body == Array("\(cursor.number) 0".utf8) && feed.waitingCount == 3)
        return waiting
    }

    @Test("at most the maximum number of clients wait, and each that ends makes room for one")
    func maximum() async throws {
        let feed = Self.feed(store, maximumWaiting: 3)
        var cursor = try await feed.latest()
        var waiting = try await fill(feed, cursor)
        waiting[1].cancel()
        _ = try await waiting[1].value
        try await feed.waitForClients(2)
        waiting[1] = wait(on: feed, cursor)
        try await feed.waitForClients(3)
        try await book(0)
        feed.noticeChange()
        for task in waiting { #expect(try await task.value == Array("1 1".utf8)) }
        cursor = try await feed.latest()
        waiting = (0..<3).map { _ in wait(on: feed, cursor, seconds: 1) }
        for task in waiting { #expect(try await task.value == Array("1 0".utf8)) }
        waiting = try await fill(feed, cursor)
        store.close()
        for task in waiting { await #expect(throws: Problem.self) { try await task.value } }
        #expect(feed.waitingCount == 0)
    }

    @Test("all clients get the failure of the database")
    func failure() async throws {
        let cursor = try await feed.latest()
        let tasks = (0..<20).map { _ in Task { try await wait(cursor) } }
        try await feed.waitForClients(20)
        store.close()
        for task in tasks {
            await #expect(throws: Problem.self) { try await task.value }
        }
    }
}

extension ChangeFeed {
    /// The body for a client that may see everything.
    fileprivate func body(
        after cursor: ChangeCursor,
        waitingFor wait: Duration
    ) async throws -> [UInt8] {
        try await body(after: cursor, in: ChangeScope(.administrator), waitingFor: wait)
    }

    /// Waits until exactly `count` clients wait.
    fileprivate func waitForClients(_ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while waitingCount != count {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
    }
}
