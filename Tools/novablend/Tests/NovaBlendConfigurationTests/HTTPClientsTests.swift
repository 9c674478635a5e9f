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

    @Test("a larger size limit allows more time for all attempts together")
    func attempts() async throws {
        let limits = HTTPLimits.admitting(4 * HTTPLimits().maximumBodyBytes)
        let clock = SteppingClock()
        let server = UnavailableOnce(clock: clock, duration: limits.totalTimeout / 2)
        let client = HTTPClients.makeRetrying(server, within: limits.totalTimeout, clock: clock)
        let response = try await client.send(HTTPRequest(method: .get, url: "http://a"))
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
