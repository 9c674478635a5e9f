import BookingStorage
import Contract
import Domain
import DomainTestSupport
import HTTPServing
import SQLiteStorage
import Synchronization
import Testing

@testable import BackendKit

@Suite("Authorization")
struct AuthorizationTests {
    private static let second = 1_000_000_000
    private let store: SQLiteBookingStore
    private let clock = ManualClock()
    private let uptime = ManualUptime()
    private let authorization: Authorization
    private let publicRoute: Route
    private let partlyPublicRoute: Route
    private let route: Route

    init() throws {
        store = try SQLiteBookingStore(path: ":memory:", clock: clock)
        authorization = Authorization(
            store: store,
            hasTokens: false,
            requestsPerSecond: 10,
            clock: clock,
            nanoseconds: { [uptime] in uptime.nanoseconds }
        )
        let routes = Routes.table(lists: []).routes
        publicRoute = try #require(routes.first { $0.name == "listSalons" })
        partlyPublicRoute = try #require(routes.first { $0.name == "listChanges" })
        route = try #require(routes.first { $0.name == "listAppointments" })
    }

    /// Stores a token and returns it. Unless `isNew`, time passes until the authorization looks for new
    /// tokens.
    private func create(
        _ role: Principal.Role = .administrator,
        seconds: Int64? = nil,
        isNew: Bool = false
    ) async throws -> AccessToken {
        let token = AccessToken()
        try await store.create(
            StoredToken(
                id: token.id,
                role: role,
                hash: token.hash,
                createdAt: clock.now,
                expiresAt: seconds.map { clock.now.advanced(bySeconds: $0) }
            )
        )
        if !isNew { uptime.advance(by: TokenCache.lifetime) }
        return token
    }

    /// The principal of a request, or the kind of the problem.
    private func outcome(
        _ route: Route,
        _ token: AccessToken? = nil,
        from peer: String = "127.0.0.1"
    ) async throws -> Outcome {
        var request = ServerRequest(method: "GET", path: "/", peer: peer)
        if let token { request.headers["Authorization"] = "Bearer \(token.text)" }
        do {
            return .principal(try await authorization.authenticate(request, for: route).principal)
        } catch let problem as Problem {
            return .problem(problem.kind)
        }
    }

    private enum Outcome: Equatable {
        case principal(Principal)
        case problem(ErrorKind)
    }

    @Test("without tokens, programs on this machine may do everything, and others nothing")
    func local() async throws {
        for route in [route, publicRoute] {
            for peer in ["127.0.0.1", "::1"] {
                #expect(try await outcome(route, from: peer) == .principal(.local))
            }
            for peer in ["192.0.2.1", "2001:db8::1", ""] {
                #expect(try await outcome(route, from: peer) == .problem(.notAuthenticated))
            }
        }
        // A token that is not needed does not matter.
        #expect(try await outcome(route, AccessToken()) == .principal(.local))
    }

    @Test("a token gives its role, from any address", arguments: ["127.0.0.1", "192.0.2.1", ""])
    func roles(peer: String) async throws {
        let roles: [Principal.Role] = [
            .customer(phone: "4930123"), .staff(of: SalonID(high: 1, low: 2)), .administrator,
        ]
        for role in roles {
            let token = try await create(role)
            let expected = Outcome.principal(Principal(role, tokenID: token.id))
            #expect(try await outcome(route, token, from: peer) == expected)
            #expect(try await outcome(publicRoute, token, from: peer) == expected)
            #expect(try await outcome(partlyPublicRoute, token, from: peer) == expected)
        }
        #expect(try await outcome(route, from: peer) == .problem(.notAuthenticated))
        for route in [publicRoute, partlyPublicRoute] {
            #expect(try await outcome(route, from: peer) == .principal(.anonymous))
        }
    }

    @Test("an unknown token, and one with a wrong secret, are worth as much as none")
    func invalid() async throws {
        let token = try await create()
        let last = token.text.last == "0" ? "1" : "0"
        let similar = try #require(AccessToken(token.text.dropLast() + last))
        for _ in 0..<2 {
            for invalid in [AccessToken(), similar] {
                #expect(try await outcome(route, invalid) == .problem(.notAuthenticated))
                #expect(try await outcome(publicRoute, invalid) == .principal(.anonymous))
            }
            #expect(try await outcome(route, token) != .problem(.notAuthenticated))
        }
    }

    @Test("a token expires in the second for which that was announced")
    func expiry() async throws {
        let token = try await create(seconds: 60)
        clock.advance(bySeconds: 59)
        #expect(try await outcome(route, token) != .problem(.notAuthenticated))
        clock.advance(bySeconds: 1)
        #expect(try await outcome(route, token) == .problem(.notAuthenticated))
        // A clock that is set back makes it valid again.
        clock.advance(bySeconds: -1)
        #expect(try await outcome(route, token) != .problem(.notAuthenticated))
    }

    @Test("a revoked token is rejected within five seconds")
    func revocation() async throws {
        let token = try await create()
        let authentication = try await authorization.authenticate(request(token), for: route)
        _ = try await store.revokeToken(token.id, at: clock.now)
        uptime.advance(by: TokenCache.lifetime - 1)
        #expect(try await outcome(route, token) != .problem(.notAuthenticated))
        try await authorization.confirm(authentication)
        uptime.advance(by: 1)
        #expect(try await outcome(route, token) == .problem(.notAuthenticated))
        await #expect(throws: Problem.self) { try await authorization.confirm(authentication) }
    }

    private func request(_ token: AccessToken) -> ServerRequest {
        let headers: HeaderFields = ["Authorization": "Bearer \(token.text)"]
        return ServerRequest(method: "GET", path: "/", headers: headers, peer: "192.0.2.1")
    }

    @Test("the first token is noticed within five seconds, also for other machines")
    func firstToken() async throws {
        let token = try await create(isNew: true)
        uptime.advance(by: TokenCache.lifetime - 1)
        #expect(try await outcome(route) == .principal(.local))
        #expect(try await outcome(publicRoute, from: "192.0.2.1") == .problem(.notAuthenticated))
        uptime.advance(by: 1)
        #expect(try await outcome(publicRoute, from: "192.0.2.1") == .principal(.anonymous))
        // Unlike a public route, this one must not show everything to this machine.
        #expect(try await outcome(partlyPublicRoute) == .principal(.anonymous))
        #expect(try await outcome(route) == .problem(.notAuthenticated))
        #expect(try await outcome(route, token) != .problem(.notAuthenticated))
    }

    @Test("each token, and each address without one, has a limit of its own")
    func limits() async throws {
        let tokens = [try await create(), try await create()]
        for token in tokens {
            for _ in 0..<20 {
                #expect(try await outcome(route, token) != .problem(.tooManyRequests))
            }
            #expect(try await outcome(route, token) == .problem(.tooManyRequests))
            #expect(try await outcome(publicRoute, token) == .problem(.tooManyRequests))
        }
        for peer in ["192.0.2.1", "2001:db8::1"] {
            for _ in 0..<20 {
                #expect(try await outcome(publicRoute, from: peer) == .principal(.anonymous))
            }
            #expect(try await outcome(publicRoute, from: peer) == .problem(.tooManyRequests))
            #expect(try await outcome(route, from: peer) == .problem(.tooManyRequests))
        }
        #expect(try await outcome(publicRoute, from: "192.0.2.2") == .principal(.anonymous))
        #expect(try await outcome(publicRoute, from: "2001:db8::2") == .problem(.tooManyRequests))
        let other = try await outcome(publicRoute, from: "2001:db8:0:1::1")
        #expect(other == .principal(.anonymous))
    }

    @Test("programs on this machine have no limit while there are no tokens")
    func unlimited() async throws {
        for _ in 0..<100 { #expect(try await outcome(route) == .principal(.local)) }
    }

    @Test("a database that cannot be read is not a reason to reject a token")
    func unavailable() async throws {
        let (known, unknown) = (try await create(), try await create())
        #expect(try await outcome(route, known) != .problem(.notAuthenticated))
        store.close()
        #expect(try await outcome(route, known) != .problem(.notAuthenticated))
        uptime.advance(by: TokenCache.lifetime)
        for token in [known, unknown] {
            #expect(try await outcome(route, token) == .problem(.storage))
            #expect(try await outcome(publicRoute, token) == .principal(.anonymous))
        }
    }
}
