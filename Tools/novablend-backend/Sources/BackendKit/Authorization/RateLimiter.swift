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

    /// The number of clients that are remembered.
    var count: Int { fullTimes.withLock(\.count) }

    /// Forgets full buckets. If most are not full, there are more clients than can be limited, so
    /// forgets all.
    private static func makeRoom(_ times: inout [Client: Int], _ capacity: Int, _ now: Int) {
        times = times.filter { $0.value > now }
        if times.count > capacity / 2 { times = [:] }
    }
}
