import Contract
import Domain
import JSON
import Networking
import Persistence
import Synchronization
import Testing

@testable import NovaBlendKit

@Suite("How long an answer may be")
struct AnswerBoundsTests {
    /// More than is read unless something else is said: an empty list, and much space.
    private let long: [UInt8] = {
        let space = [UInt8](repeating: 0x20, count: JSONLimits().maximumBytes)
        return Array(#"{"appointments":[]"#.utf8) + space + [UInt8(ascii: "}")]
    }()

    private var appointment: Appointment {
        Appointment(
            booking: BookingRequest(
                salonID: SalonID(high: 1, low: 2),
                time: AppointmentTime(instant: Timestamp(secondsSince1970: 5)),
                phone: "12345"
            ),
            id: "x",
            version: 1
        )
    }

    @Test("what was kept is shown and added to, however long it is")
    func kept() throws {
        let store = InMemorySnapshotStore()
        try store.replace("appointments", with: Snapshot(payload: long, savedAt: 1))
        let list = StoredResource<AppointmentListCodec>(
            name: "appointments",
            url: nil,
            store: store
        )
        #expect(try list.retrieve()?.value == [])
        try StoredAppointmentLedger(
            name: "appointments",
            url: nil,
            store: store,
            clock: SystemClock()
        )
        .add(appointment)
        #expect(try list.retrieve()?.value == [appointment])
    }

    @Test("a page goes to the end of a list, however long that is")
    func page() throws {
        let store = InMemorySnapshotStore()
        let movie = Movie(id: "1", title: "t")
        let text = Array(MovieListCodec.encode([movie]).dropLast()) + long.dropFirst(18)
        try store.replace("movies", with: Snapshot(payload: text, savedAt: 1))
        let list = StoredResource<MovieListCodec>(name: "movies", url: nil, store: store)
        let next = Movie(id: "2", title: "t")
        try StoredPage(list: list, page: Page(after: "1", limit: 1)).replace(
            with: CachedValue(value: [next], fetchedAt: Timestamp(secondsSince1970: 2))
        )
        #expect(try list.retrieve()?.value == [movie, next])
    }

    @Test("a longer answer has as much longer to come, a shorter one no less")
    func time() {
        let usual = HTTPLimits()
        let longer = HTTPLimits.admitting(4 * usual.maximumBodyBytes)
        #expect(longer.maximumBodyBytes == 4 * usual.maximumBodyBytes)
        #expect(longer.totalTimeout == usual.totalTimeout * 4)
        let shorter = HTTPLimits.admitting(1)
        #expect(shorter.maximumBodyBytes == 1)
        #expect(shorter.totalTimeout == usual.totalTimeout)
    }

    @Test("a request may ask for less than its client's bounds, not for more")
    func bounded() async throws {
        let client = BoundedHTTPClient(Echo(), .admitting(10))
        let longest = HTTPLimits().totalTimeout
        for (asked, given) in [(nil, 10), (9, 9), (11, 10)] as [(Int?, Int)] {
            let request = HTTPRequest(.get, "http://a", maximumResponseBytes: asked)
            #expect(try await client.send(request).body == Array("\(given) \(longest)".utf8))
        }
        let request = HTTPRequest(.get, "http://a", totalTimeout: .seconds(5))
        #expect(try await client.send(request).body == Array("10 \(Duration.seconds(5))".utf8))
    }

    /// Answers with the bounds that it was asked with.
    private struct Echo: HTTPClient {
        func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
            let bytes = request.maximumResponseBytes.map { "\($0)" } ?? "none"
            let text = "\(bytes) \(request.totalTimeout.map { "\($0)" } ?? "none")"
            return HTTPResponse(status: 200, headers: [:], body: Array(text.utf8), url: request.url)
        }
    }

    @Test("a longer list may take longer with all attempts, too")
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

    /// Answers 503 after `duration`, then 200.
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

    @Test("only a list that is too long names the option, which allows no longer image")
    func remedy() {
        let error = HTTPClientError(.bodyTooLarge(limit: 5))
        let list = RemoteError(error, ifTooLarge: "the remedy")
        #expect(list.description.contains("5 bytes") && list.description.hasSuffix("; the remedy"))
        #expect(RemoteError(error) == .invalidData(reason: error.description))
    }
}
