import BookingStorage
import Contract
import Domain
import DomainTestSupport
import HTTPServing
import SQLiteStorage
import Synchronization
import Testing

@testable import BackendKit

/// With a limit of 10 requests per second, an address can send 20 requests without a token at once,
/// and 80 tokens that are not known; all addresses together can send 400 of these.
@Suite("A client that sends too many requests")
struct FloodTests {
    private static let second = 1_000_000_000
    private let store: SQLiteBookingStore
    private let reads: CountedReads
    private let clock = ManualClock()
    private let uptime = ManualUptime()
    private let authorization: Authorization
    private let route: Route

    init() throws {
        store = try SQLiteBookingStore(path: ":memory:", clock: clock)
        reads = CountedReads(store)
        authorization = Authorization(
            store: reads,
            hasTokens: true,
            requestsPerSecond: 10,
            clock: clock,
            nanoseconds: { [uptime] in uptime.nanoseconds }
        )
        let routes = Routes.table(lists: []).routes
        route = try #require(routes.first { $0.name == "listAppointments" })
    }

    private func create(_ count: Int) async throws -> [AccessToken] {
        var tokens: [AccessToken] = []
        for _ in 0..<count {
            let token = AccessToken()
            try await store.create(
                StoredToken(
                    id: token.id,
                    role: .administrator,
                    hash: token.hash,
                    createdAt: clock.now
                )
            )
            tokens.append(token)
        }
        return tokens
    }

    private enum Outcome: Equatable { case accepted, rejected, tooMany, unavailable }

    private func send(
        _ token: AccessToken?,
        from peer: String = "192.0.2.1"
    ) async throws -> Outcome {
        var request = ServerRequest(method: "GET", path: "/", peer: peer)
        if let token { request.headers["Authorization"] = "Bearer \(token.text)" }
        do {
            _ = try await authorization.authenticate(request, for: route)
            return .accepted
        } catch let problem as Problem {
            if problem.failure != nil { return .unavailable }
            #expect([.notAuthenticated, .tooManyRequests].contains(problem.kind))
            let isExcessive = problem.kind == .tooManyRequests
            #expect((problem.response.headers["Retry-After"] == "1") == isExcessive)
            return isExcessive ? .tooMany : .rejected
        }
    }

    /// The number of requests with each outcome.
    private func flood(
        _ count: Int,
        from peer: String = "192.0.2.1",
        with token: () throws -> AccessToken? = { AccessToken() }
    ) async throws -> [Outcome: Int] {
        var outcomes: [Outcome: Int] = [:]
        for _ in 0..<count { outcomes[try await send(token(), from: peer), default: 0] += 1 }
        return outcomes
    }

    /// A token with the same id and a different secret.
    private func forged(_ token: AccessToken) throws -> AccessToken {
        let secret = AccessToken().text.suffix(64)
        return try #require(AccessToken("\(token.text.dropLast(64))\(secret)"))
    }

    /// What a client at the address of others can send again and again.
    private enum Flood: CaseIterable {
        case nothing, badToken, guesses, wrongSecrets, revokedToken
    }

    private func source(
        of flood: Flood,
        beside token: AccessToken
    ) async throws -> () throws -> AccessToken? {
        let bad = AccessToken()
        switch flood {
        case .nothing: return { nil }
        case .badToken: return { bad }
        case .guesses: return { AccessToken() }
        case .wrongSecrets: return { try self.forged(token) }
        case .revokedToken:
            let revoked = try await create(1)[0]
            #expect(try await send(revoked) == .accepted)
            _ = try await store.revokeToken(revoked.id, at: clock.now)
            return { revoked }
        }
    }

    @Test("does not affect tokens at its address that were valid in the last hours")
    func known() async throws {
        for flood in Flood.allCases {
            let tokens = try await create(16)
            for token in tokens { #expect(try await send(token) == .accepted) }
            let source = try await source(of: flood, beside: tokens[0])
            // From one to the next, what was read about the tokens is too old.
            for seconds in [0, 5, 60, 11 * 3_600, 11 * 3_600] {
                uptime.advance(by: seconds * Self.second)
                let outcomes = try await self.flood(500, with: source)
                #expect(outcomes[.tooMany] ?? 0 >= 470, "\(flood)")
                for token in tokens {
                    #expect(try await send(token) == .accepted, "\(flood) \(seconds)")
                }
            }
            uptime.advance(by: 10 * Self.second)
        }
    }

    @Test("with one token that is not valid, or with none, does not delay new tokens")
    func new() async throws {
        for flood in Flood.allCases where flood != .guesses {
            let tokens = try await create(16)
            let outcomes = try await self.flood(
                500,
                with: try await source(of: flood, beside: tokens[0])
            )
            #expect(outcomes[.tooMany] ?? 0 >= 470, "\(flood)")
            for token in tokens { #expect(try await send(token) == .accepted, "\(flood)") }
            uptime.advance(by: 10 * Self.second)
        }
    }

    @Test("and guesses tokens delays new ones at its address by a fraction of a second")
    func guesses() async throws {
        let tokens = try await create(17)
        #expect(try await flood(500) == [.rejected: 20, .tooMany: 480])
        #expect(try await send(tokens[0]) == .tooMany)
        // Others are not affected, nor is a different half of the IPv6 addresses.
        #expect(try await send(tokens[0], from: "192.0.2.2") == .accepted)
        #expect(try await send(tokens[0]) == .accepted)
        // A lookup of a valid token does not use up the room for others.
        uptime.advance(by: Self.second / 40)
        for token in tokens { #expect(try await send(token) == .accepted) }
        // A guess does.
        #expect(try await send(AccessToken()) == .tooMany)
        #expect(try await send(try await create(1)[0]) == .tooMany)
    }

    @Test("counts with the first 64 bits of an IPv6 address")
    func networks() async throws {
        let token = try await create(1)[0]
        for index in 0..<80 { _ = try await send(AccessToken(), from: "2001:db8::\(index + 1)") }
        #expect(try await send(token, from: "2001:db8::ffff") == .tooMany)
        #expect(try await send(token, from: "2001:db8:0:1::1") == .accepted)
    }

    @Test("from many addresses causes a limited number of lookups, and spares known tokens")
    func manyAddresses() async throws {
        let tokens = try await create(2)
        #expect(try await send(tokens[0]) == .accepted)
        for index in 0..<400 {
            #expect(try await send(AccessToken(), from: "2001:db8:0:\(index)::1") == .rejected)
        }
        #expect(try await send(AccessToken(), from: "2001:db8:1::1") == .tooMany)
        #expect(try await send(tokens[1]) == .tooMany)
        #expect(try await send(tokens[0]) == .accepted)
        uptime.advance(by: Self.second / 200)
        #expect(try await send(tokens[1]) == .accepted)
        #expect(try await send(AccessToken(), from: "2001:db8:1::1") == .rejected)
        #expect(try await send(AccessToken(), from: "2001:db8:1::1") == .tooMany)
    }

    @Test("is rejected before the database is read")
    func beforeReading() async throws {
        let token = try await create(1)[0]
        let counts = [
            (Flood.nothing, 0), (.badToken, 1), (.guesses, 80), (.wrongSecrets, 1),
        ]
        for (flood, count) in counts {
            let before = reads.count
            _ = try await self.flood(500, with: try await source(of: flood, beside: token))
            #expect(reads.count - before == count, "\(flood)")
            uptime.advance(by: 60 * Self.second)
        }
    }

    @Test("while the database cannot be read gets no more answers than otherwise")
    func unavailable() async throws {
        store.close()
        #expect(try await flood(500) == [.unavailable: 20, .tooMany: 480])
        #expect(reads.count == 80)
        #expect(try await send(AccessToken(), from: "192.0.2.2") == .unavailable)
    }

    @Test("and has a valid token uses up only the requests of this token")
    func valid() async throws {
        let tokens = try await create(2)
        #expect(try await flood(100) { tokens[0] } == [.accepted: 20, .tooMany: 80])
        #expect(try await send(tokens[1]) == .accepted)
        #expect(try await send(nil) == .rejected)
    }

    @Test("with a token that was revoked is rejected within five seconds, and counts as unknown")
    func revoked() async throws {
        let token = try await create(1)[0]
        #expect(try await send(token) == .accepted)
        _ = try await store.revokeToken(token.id, at: clock.now)
        uptime.advance(by: TokenCache.lifetime - 1)
        #expect(try await send(token) == .accepted)
        uptime.advance(by: 1)
        #expect(try await send(token) == .rejected)
        #expect(try await flood(100) { token } == [.rejected: 20, .tooMany: 80])
        #expect(try await send(nil) == .tooMany)
    }

    @Test("is remembered in bounded memory, and what was used last remains")
    func memory() {
        var values = RecentValues<Int, Int>(100)
        for key in 0..<10_000 {
            values[key] = key
            #expect(values[0] == 0)
            #expect(values.count <= 100)
        }
        #expect(values[9_999] == 9_999 && values[9_950] == 9_950 && values[9_000] == nil)
        values[0] = nil
        #expect(values[0] == nil)
        values[9_950] = 1
        #expect(values[9_950] == 1)
    }
}

/// A clock that is never set, which a test advances.
final class ManualUptime: Sendable {
    private let time = Atomic(1_000_000_000)

    var nanoseconds: Int { time.load(ordering: .relaxed) }

    func advance(by nanoseconds: Int) { time.add(nanoseconds, ordering: .relaxed) }
}

/// The tokens of a store, and how often the database was read.
private final class CountedReads: TokenStore, DatabaseAccess {
    private let access: any DatabaseAccess
    private let reads = Atomic(0)

    init(_ store: some TokenStore) { access = store.database.access }

    var count: Int { reads.load(ordering: .relaxed) }

    var database: StoreDatabase { StoreDatabase(self) }

    func read<Value: Sendable>(
        within timeout: Duration?,
        _ makeQuery: @escaping @Sendable (_ now: Timestamp?) -> Query<Value>
    ) async throws(Problem) -> Value {
        reads.add(1, ordering: .relaxed)
        return try await access.read(within: timeout, makeQuery)
    }

    func write<Value: Sendable>(
        isRepeatable: Bool,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws(Problem) -> Value {
        try await access.write(isRepeatable: isRepeatable, body)
    }

    var salons: DecodedSalonCache { access.salons }
    var monitor: ClockMonitor { access.monitor }
    var expiredRows: SQL { access.expiredRows }
    var holds: HoldStatements { access.holds }
    var activeAppointments: SQL { access.activeAppointments }
    var agenda: SQL { access.agenda }
}
