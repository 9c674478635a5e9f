import BookingStorage
import Contract
import Domain
import HTTPServing
import NovaBlendMetrics

/// Who makes a request, and until when that is valid.
struct Authentication: Sendable {
    let principal: Principal
    /// When the token expires; nil if it does not expire, or if there is no token.
    var expiresAt: Timestamp?

    /// A program on this machine, while there are no tokens.
    static let local = Authentication(principal: .local)
    /// Anyone, for what is public.
    static let anonymous = Authentication(principal: .anonymous)
}

extension Authentication {
    fileprivate init(_ token: StoredToken) {
        self.init(principal: token.principal, expiresAt: token.expiresAt)
    }
}

/// Decides who makes each request, and whether that client makes too many.
///
/// While the database has no tokens, every program on this machine may do everything, and no one
/// else is served. A web page is not a program on this machine, although a browser is: see
/// ``HTTPServing/ServerRequest/hasOwnHost``.
final class Authorization: Sendable {
    /// The clients whose tokens are missing or not valid.
    let rejected: RejectedClients
    private let tokens: TokenCache
    private let limits: RequestLimits?
    private let clock: any WallClock
    private let nanoseconds: @Sendable () -> Int

    /// - Parameters:
    ///   - hasTokens: Whether the store has tokens now.
    ///   - requestsPerSecond: How many requests each client may make where tokens are required; 0
    ///     for any number.
    ///   - clock: The clock that decides when tokens expire.
    ///   - nanoseconds: A clock that is never set.
    init(
        store: any TokenStore,
        hasTokens: Bool,
        requestsPerSecond: Int,
        clock: any WallClock,
        nanoseconds: @escaping @Sendable () -> Int = { MonotonicTime.nanoseconds }
    ) {
        rejected = RejectedClients(store: store)
        tokens = TokenCache(store: store, hasTokens: hasTokens, now: nanoseconds())
        limits =
            requestsPerSecond > 0 ? RequestLimits(requestsPerSecond: requestsPerSecond) : nil
        self.clock = clock
        self.nanoseconds = nanoseconds
    }

    /// Who makes a request for a route, if that can be decided without a token and without reading
    /// the database; otherwise nil.
    func knownAuthentication(
        of request: ServerRequest,
        for route: Route
    ) -> Authentication? {
        guard !tokens.areRequired else { return nil }
        if route.isAlwaysServed { return .anonymous }
        guard request.isFromLoopback, request.hasOwnHost else { return nil }
        // A public route serves this machine whether or not the database has tokens.
        let isLocal = route.access == .public || !tokens.isCheckDue(now: nanoseconds())
        return isLocal ? .local : nil
    }

    /// Finds out who makes a request for a route.
    ///
    /// Throws `notAuthenticated`, `foreignHost`, `malformedRequest`, `tooManyRequests`, or
    /// `Problem.unavailable`.
    func authenticate(_ request: ServerRequest, for route: Route) async throws -> Authentication {
        if let known = knownAuthentication(of: request, for: route) { return known }
        if route.isAlwaysServed {
            // Health checks have a limit of their own. Otherwise a client at the address of a proxy
            // could use up the proxy's requests, and the proxy would conclude that the backend is
            // down.
            try count(.monitor(request.clientNetwork), nanoseconds())
            return .anonymous
        }
        guard try await tokens.checkRequired(now: nanoseconds()) else {
            guard request.isFromLoopback else { throw Problem.notLoopback }
            guard request.hasOwnHost else { throw Problem.foreignHost }
            return .local
        }
        switch route.access {
        case .public:
            do {
                return try await authenticateIfPossible(request)
            } catch let problem as Problem where problem.failure != nil {
                return .anonymous
            }
        case .partlyPublic: return try await authenticateIfPossible(request)
        case .principal: break
        }
        let text = try request.bearerToken()
        guard let token = try await token(text, of: request) else {
            throw text == nil ? Problem.missingToken : Problem.invalidToken
        }
        return Authentication(token)
    }

    /// Reads each token again when it is next used.
    func rereadTokens() { tokens.clear() }

    /// Throws `notAuthenticated` if the token of an earlier request is no longer valid.
    func confirm(_ authentication: Authentication) async throws {
        guard let id = authentication.principal.tokenID else { return }
        let token = try await stored(id, now: nanoseconds())
        guard token?.isValid(at: clock.now) == true else { throw Problem.invalidToken }
    }

    /// Authenticates a request for which an invalid token counts as no token.
    private func authenticateIfPossible(
        _ request: ServerRequest
    ) async throws -> Authentication {
        let text = try? request.bearerToken()
        if let token = try await token(text, of: request) { return Authentication(token) }
        if text != nil { rejected.add(request.clientNetwork) }
        return .anonymous
    }

    /// The token with this text; nil if it is not valid. Counts the request.
    ///
    /// A token that was valid recently has a limit of its own from the start. So it does not matter
    /// to its owner what others at the same address send. Anything else counts for the address. An
    /// unknown token is looked up even if its address has made too many requests, because it may be
    /// valid; lookups have a limit of their own, and are counted before the database is read.
    private func token(_ text: String?, of request: ServerRequest) async throws -> StoredToken? {
        let now = nanoseconds()
        let address = RateLimiter.Client.address(request.clientNetwork)
        guard let text, let sent = AccessToken(text) else {
            try count(address, now)
            return nil
        }
        if tokens.isKnown(sent, now: now) {
            try count(.token(sent.id), now)
            let stored = try await valid(sent, now)
            tokens.setKnown(stored != nil, sent, now: now)
            return stored
        }
        let isLookup = tokens.recent(sent.id, now: now) == nil
        if isLookup, let delay = limits?.lookupDelay(address, now: now) {
            throw Self.tooManyRequests(delay)
        }
        let found: StoredToken?
        do {
            found = try await valid(sent, now)
        } catch {
            try count(address, now)
            throw error
        }
        guard let found else {
            try count(address, now)
            return nil
        }
        if isLookup { limits?.takeBackLookup(address) }
        tokens.setKnown(true, sent, now: now)
        try count(.token(found.id), now)
        return found
    }

    /// The stored token if it is valid; otherwise nil.
    private func valid(_ sent: AccessToken, _ now: Int) async throws(Problem) -> StoredToken? {
        let stored = try await stored(sent.id, now: now)
        guard sent.hasHash(stored?.hash), let stored, stored.isValid(at: clock.now) else {
            return nil
        }
        return stored
    }

    /// The token with the id; nil if it does not exist.
    private func stored(_ id: String, now: Int) async throws(Problem) -> StoredToken? {
        if let recent = tokens.recent(id, now: now) { return recent }
        return try await tokens.read(id, now: now)
    }

    private func count(_ client: RateLimiter.Client, _ now: Int) throws(Problem) {
        guard let delay = limits?.retryDelay(client, now: now) else { return }
        throw Self.tooManyRequests(delay)
    }

    private static func tooManyRequests(_ seconds: Int) -> Problem {
        let message = "too many requests; try again later"
        return Problem(.tooManyRequests, message, retryAfterSeconds: Int64(seconds))
    }
}
