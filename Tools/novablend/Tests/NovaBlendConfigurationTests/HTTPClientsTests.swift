import Networking
import Synchronization
import Testing
import WebPrimitives

@testable import NovaBlendConfiguration

@Suite("The limits of HTTP clients")
struct HTTPClientsTests {
    @Test("a larger size limit allows proportionally more time; a smaller one does not allow less")
    func time() {
        let standard = HTTPLimits()
        let larger = HTTPLimits.admitting(4 * standard.maximumBodyBytes)
        #expect(larger.maximumBodyBytes == 4 * standard.maximumBodyBytes)
        #expect(larger.totalTimeout == standard.totalTimeout * 4)
        let smaller = HTTPLimits.admitting(1)
        #expect(smaller.maximumBodyBytes == 1)
        #expect(smaller.totalTimeout == standard.totalTimeout)
    }

    @Test("a request can lower the limits of its client, but not raise them")
    func bounded() async throws {
        let client = BoundedHTTPClient(Echo(), .admitting(10))
        let longest = HTTPLimits().totalTimeout
        for (requested, effective) in [(nil, 10), (9, 9), (11, 10)] as [(Int?, Int)] {
            let request = HTTPRequest(.get, "http://a", maximumResponseBytes: requested)
            #expect(try await client.send(request).body == Array("\(effective) \(longest)".utf8))
        }
        let request = HTTPRequest(.get, "http://a", totalTimeout: .seconds(5))
        #expect(try await client.send(request).body == Array("10 \(Duration.seconds(5))".utf8))
    }

    /// Responds with the limits of the request.
    private struct Echo: HTTPClient {
        func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
            let bytes = request.maximumResponseBytes.map { "\($0)" } ?? "none"
            let text = "\(bytes) \(request.totalTimeout.map { "\($0)" } ?? "none")"
            return HTTPResponse(status: 200, headers: [:], body: Array(text.utf8), url: request.url)
        }
    }

    @Test("a larger size limit allows more time for all attempts together")
    func attempts() async throws {
        let limits = HTTPLimits.admitting(4 * HTTPLimits().maximumBodyBytes)
        let clock = SteppingClock()
        let server = UnavailableOnce(clock: clock, duration: limits.totalTimeout / 2)
        let response = try await HTTPClients.makeRetrying(server, limits, clock: clock)
            .send(HTTPRequest(.get, "http://a"))
        #expect(response.status == 200)
        #expect(server.limits.withLock { $0.first } == limits.totalTimeout)
        #expect(server.limits.withLock { $0.count } == 2)
    }

    /// A clock that moves only when a test moves it.
    private final class SteppingClock: RetryClock {
        let date = HTTPDate(secondsSince1970: 0)
        private let instant = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { instant.withLock { $0 } }
        func advance(by duration: Duration) { instant.withLock { $0 += duration } }
        func sleep(for duration: Duration) async throws(CancellationError) {}
    }

    /// Responds with 503 after `duration`, then with 200.
    private final class UnavailableOnce: HTTPClient {
        let limits = Mutex<[Duration?]>([])
        private let clock: SteppingClock
        private let duration: Duration

        init(clock: SteppingClock, duration: Duration) {
            (self.clock, self.duration) = (clock, duration)
        }

        func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
            let count = limits.withLock { limits in
                limits.append(request.totalTimeout)
                return limits.count
            }
            if count == 1 { clock.advance(by: duration) }
            let status = count == 1 ? 503 : 200
            return HTTPResponse(status: status, headers: [:], body: [], url: request.url)
        }
    }
}
