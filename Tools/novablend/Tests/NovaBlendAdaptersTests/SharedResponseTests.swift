import Contract
import Domain
import DomainTestSupport
import Networking
import NovaBlendAccounts
import Synchronization
import Testing

@testable import NovaBlendAdapters

@Suite("The response to a request at the same time as an equal one", .timeLimit(.minutes(1)))
struct SharedResponseTests {
    /// Rejects the parameter against caches, without which the requests of a test are equal. Responds
    /// to others with a list when it is open, and counts them.
    private final class Server: HTTPClient {
        private let requests = Mutex(0)
        private let arrivals = AsyncStream.makeStream(of: Void.self)
        private let gate = AsyncStream.makeStream(of: Void.self)

        var count: Int { requests.withLock(\.self) }

        func waitForRequest() async { for await _ in arrivals.stream { return } }

        func open() { gate.continuation.finish() }

        func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
            if request.url.contains("fresh=") {
                return HTTPResponse(status: 400, url: request.url)
            }
            requests.withLock { $0 += 1 }
            arrivals.continuation.yield()
            for await _ in gate.stream {}
            let body = Array(#"{"items":[],"slots":[],"appointments":[]}"#.utf8)
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
    }

    private let server = Server()
    private let counter = InMemoryChangeCounter()

    /// Makes a call, then maybe counts a change, and makes the same call again. An immediate task runs
    /// until it waits for the server.
    private func expectRequests(
        _ count: Int,
        changing isChanged: Bool = false,
        _ call: @escaping @Sendable () async throws -> Void
    ) async throws {
        let first = Task.immediate { try await call() }
        if isChanged { counter.advance() }
        let second = Task.immediate { try await call() }
        for _ in 0..<count { await server.waitForRequest() }
        server.open()
        for task in [first, second] { try await task.value }
        #expect(server.count == count)
    }

    private func list(
        _ freshness: HTTPResource<MovieListCodec>.Freshness
    ) -> @Sendable () async throws -> Void {
        let list = HTTPResource<MovieListCodec>(
            url: "http://a.test/movies",
            client: server,
            limits: ListLimits(maximumBytes: 10_000),
            freshness: freshness
        )
        return { _ = try await list.load(unlessMatching: nil) }
    }

    private var bookings: HTTPBookingAPI {
        var endpoints = Endpoints()
        endpoints.appointments = "http://a.test/appointments"
        endpoints.availability = "http://a.test/{id}"
        return HTTPBookingAPI(
            endpoints: endpoints,
            sender: server,
            reader: server,
            limits: ListLimits(maximumBytes: 10_000),
            credential: "none",
            counter: counter
        )
    }

    @Test("is shared if the list may be cached, also after a change", arguments: [false, true])
    func cacheable(isChanged: Bool) async throws {
        try await expectRequests(1, changing: isChanged, list(.cacheable))
    }

    @Test("is shared if the program changes the list, unless there was a change between them")
    func unchanged() async throws {
        try await expectRequests(1, list(.personal(counter)))
    }

    @Test("is not shared if there was a change of the list between them")
    func changed() async throws {
        try await expectRequests(2, changing: true, list(.personal(counter)))
    }

    @Test("is not shared if no cache may answer")
    func direct() async throws {
        try await expectRequests(2, list(.direct))
    }

    @Test("is never shared by lookups of bookings")
    func lookup() async throws {
        let bookings = bookings
        try await expectRequests(2) { _ = try await bookings.lookUp() }
    }

    @Test("is shared by requests of slots without a change between them", arguments: [false, true])
    func slots(isChanged: Bool) async throws {
        let (bookings, time) = (bookings, AppointmentTime(instant: Timestamp(secondsSince1970: 0)))
        try await expectRequests(isChanged ? 2 : 1, changing: isChanged) {
            let salon = SalonID(high: 1, low: 2)
            _ = try await bookings.slots(SlotRequest(salonID: salon, start: time, end: time))
        }
    }
}
