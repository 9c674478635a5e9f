import Testing

@testable import BackendKit

@Suite("The rate limiter")
struct RateLimiterTests {
    private static let second = 1_000_000_000
    private let start = 5 * second
    private let client = RateLimiter.Client.address("192.0.2.1")

    private func delays(_ limiter: RateLimiter, _ count: Int, at now: Int) -> [Int?] {
        (0..<count).map { _ in limiter.retryDelay(client, now: now) }
    }

    @Test("a client that was idle can make the requests of two seconds at once")
    func burst() {
        let limiter = RateLimiter(requestsPerSecond: 10)
        #expect(delays(limiter, 21, at: start) == Array(repeating: nil, count: 20) + [1])
    }

    @Test("a rejected request is not counted, and the next one is allowed after exactly its time")
    func refill() {
        let limiter = RateLimiter(requestsPerSecond: 10)
        _ = delays(limiter, 20, at: start)
        let next = start + Self.second / 10
        #expect(delays(limiter, 50, at: next - 1) == Array(repeating: 1, count: 50))
        #expect(delays(limiter, 2, at: next) == [nil, 1])
        let later = next + Self.second
        #expect(delays(limiter, 11, at: later) == Array(repeating: nil, count: 10) + [1])
    }

    @Test("requests at the allowed rate are never rejected")
    func steady() {
        let limiter = RateLimiter(requestsPerSecond: 10)
        for number in 0..<1_000 {
            let now = start + number * Self.second / 10
            #expect(limiter.retryDelay(client, now: now) == nil)
        }
    }

    @Test("an idle client does not save more than two seconds")
    func idle() {
        let limiter = RateLimiter(requestsPerSecond: 1)
        #expect(delays(limiter, 3, at: start) == [nil, nil, 1])
        #expect(delays(limiter, 3, at: start + 100 * Self.second) == [nil, nil, 1])
    }

    @Test("clients do not affect each other")
    func independent() {
        let limiter = RateLimiter(requestsPerSecond: 1)
        let clients: [RateLimiter.Client] = [
            .address("a"), .address("b"), .address(""), .token("a"), .token("b"),
        ]
        for client in clients {
            #expect((0..<3).map { _ in limiter.retryDelay(client, now: start) } == [nil, nil, 1])
        }
    }

    @Test("a limit outside its range is the nearest one in it", arguments: [-1, 0, 1])
    func smallest(rate: Int) {
        let limiter = RateLimiter(requestsPerSecond: rate)
        #expect(delays(limiter, 3, at: start) == [nil, nil, 1])
        let unlimited = RateLimiter(requestsPerSecond: .max)
        #expect(delays(unlimited, 1_000, at: start).allSatisfy { $0 == nil })
    }

    @Test("it forgets idle clients before those that make many requests")
    func memory() {
        let limiter = RateLimiter(requestsPerSecond: 1, capacity: 100)
        for number in 0..<99 {
            _ = limiter.retryDelay(.address("\(number)"), now: start)
        }
        let later = start + Self.second
        _ = delays(limiter, 2, at: later)
        #expect(limiter.count == 100)
        // All clients except the one with many requests are idle.
        _ = limiter.retryDelay(.address("new"), now: later)
        #expect(limiter.count == 2)
        #expect(limiter.retryDelay(client, now: later) == 1)
    }

    @Test("it never remembers more clients than its capacity")
    func bound() {
        let limiter = RateLimiter(requestsPerSecond: 1, capacity: 100)
        for number in 0..<1_000 {
            #expect(limiter.retryDelay(.address("\(number)"), now: start) == nil)
            #expect(limiter.count <= 100)
        }
    }
}
