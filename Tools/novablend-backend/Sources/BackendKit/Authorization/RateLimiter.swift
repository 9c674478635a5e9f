import Synchronization

/// Limits how many requests each client makes: each has a bucket of tokens that is refilled at a
/// constant rate, and each request takes one.
///
/// A bucket is stored as the time at which it is full again (the generic cell rate algorithm of ATM
/// Forum TM 4.0, section 4.4.2). One that is full needs no memory.
final class RateLimiter: Sendable {
    /// Who makes the requests.
    enum Client: Hashable {
        /// The owner of the token with this id.
        case token(String)
        /// Someone without a token at this address.
        case address(String)
        /// Someone at this address who asks for the health of the backend.
        case monitor(String)
        /// All clients together.
        case everyone
    }

    /// How many seconds' worth of requests a client that was idle can make at once.
    static let burstSeconds = 2
    static let defaultCapacity = 65_536
    private static let second = 1_000_000_000

    private let interval: Int
    private let capacity: Int
    private let fullTimes = Mutex<[Client: Int]>([:])

    /// Creates a limit for each client. A limit of less than one request per second counts as one.
    ///
    /// - Parameter capacity: The maximum number of clients that are remembered.
    init(requestsPerSecond: Int, capacity: Int = defaultCapacity) {
        interval = Self.second / min(max(requestsPerSecond, 1), Self.second)
        self.capacity = capacity
    }

    /// Counts a request of a client. If it is one too many, returns after how many seconds the
    /// client may make the next one, and does not count it.
    ///
    /// - Parameter now: The time in nanoseconds, as in ``MonotonicTime``.
    func retryDelay(_ client: Client, now: Int) -> Int? {
        fullTimes.withLock { times in
            let full = max(times[client] ?? now, now) + interval
            let excess = full - now - Self.burstSeconds * Self.second
            if excess > 0 { return (excess + Self.second - 1) / Self.second }
            if times[client] == nil, times.count >= capacity {
                Self.makeRoom(&times, capacity, now)
            }
            times[client] = full
            return nil
        }
    }

    /// Takes back that the last request of a client was counted.
    func takeBack(_ client: Client) {
        fullTimes.withLock { times in
            if let full = times[client] { times[client] = full - interval }
        }
    }

    /// The number of clients that are remembered.
    var count: Int { fullTimes.withLock(\.count) }

    /// Forgets full buckets. If most are not full, there are more clients than can be limited, so
    /// forgets all.
    private static func makeRoom(_ times: inout [Client: Int], _ capacity: Int, _ now: Int) {
        times = times.filter { $0.value > now }
        if times.count > capacity / 2 { times = [:] }
    }
}

/// The limits of the requests where tokens are required. What one client sends must not use up what
/// others need, so each kind of client has its own table: a flood from many addresses makes none of
/// the tokens forgotten.
final class RequestLimits: Sendable {
    /// How many times as many unknown tokens as requests each address may send, so that there is
    /// room for others at the address of a client that guesses tokens.
    static let lookupFactor = 4
    /// How many times as many unknown tokens as requests all addresses together may send.
    static let totalLookupFactor = 20

    private let tokens: RateLimiter
    private let addresses: RateLimiter
    private let lookups: RateLimiter
    private let totalLookups: RateLimiter

    /// - Parameter requestsPerSecond: How many requests each token may make, and each address
    ///   without a valid token.
    init(requestsPerSecond: Int) {
        tokens = RateLimiter(requestsPerSecond: requestsPerSecond)
        addresses = RateLimiter(requestsPerSecond: requestsPerSecond)
        lookups = RateLimiter(requestsPerSecond: requestsPerSecond * Self.lookupFactor)
        totalLookups = RateLimiter(
            requestsPerSecond: requestsPerSecond * Self.totalLookupFactor
        )
    }

    /// Counts a request, as ``RateLimiter/retryDelay(_:now:)`` does.
    func retryDelay(_ client: RateLimiter.Client, now: Int) -> Int? {
        if case .token = client { return tokens.retryDelay(client, now: now) }
        return addresses.retryDelay(client, now: now)
    }

    /// Counts that a token that is not known is looked up for a client at an address, in the same
    /// way.
    func lookupDelay(_ address: RateLimiter.Client, now: Int) -> Int? {
        if let seconds = lookups.retryDelay(address, now: now) { return seconds }
        guard let seconds = totalLookups.retryDelay(.everyone, now: now) else { return nil }
        lookups.takeBack(address)
        return seconds
    }

    /// Takes back that a lookup was counted, because the token is valid.
    func takeBackLookup(_ address: RateLimiter.Client) {
        lookups.takeBack(address)
        totalLookups.takeBack(.everyone)
    }
}
