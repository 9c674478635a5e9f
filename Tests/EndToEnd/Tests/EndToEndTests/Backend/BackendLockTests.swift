import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite(
    "A different process holds the write lock of the backend's database",
    .throttled,
    .timeLimit(.minutes(10))
)
struct BackendLockTests {
    private static let reads = [
        "/health/live", "/salons", "/appointments", "/appointments/unknown",
        "/salons/\(Sample.salon)/availability?start=2040-01-01T00:00:00Z&end=2040-01-02T00:00:00Z",
    ]

    @Test("reads are answered while 64 bookings wait, and each booking succeeds or can be repeated")
    func foreignLock() async throws {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        let backend = try await BackendProcess(database: database)
        #expect(try await backend.response(to: .booking(0)).status == 201)
        let lock = try await DatabaseWriter.locking(database)
        let requests = (1...64).map { HTTPRequest.booking($0) }
        let client = LoadClient(port: backend.port.number, connections: 64, timeoutSeconds: 60)
        async let booking = client.run(requests)
        for _ in 0..<20 {
            for path in Self.reads {
                let expected = path.hasSuffix("unknown") ? 404 : 200
                #expect(try await backend.get(path).status == expected, "\(path)")
            }
        }
        try await lock.release()
        for exchange in await booking {
            let response = try #require(exchange.response, "\(exchange.request.key): no response")
            if response.status == 201 { continue }
            try expectRetryable(response)
            let repeated = try await backend.response(to: exchange.request)
            #expect(repeated.status == 201, "\(repeated.text)")
        }
        #expect(try await backend.appointments().count == 65)
    }

    @Test("a booking that gets no lock in time is rejected, and succeeds when it is repeated")
    func longLock() async throws {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        let backend = try await BackendProcess(database: database)
        #expect(try await backend.response(to: .booking(0)).status == 201)
        let lock = try await DatabaseWriter.locking(database)
        try expectRetryable(try await backend.response(to: .booking(1)))
        try await lock.release()
        #expect(try await backend.response(to: .booking(1)).status == 201)
        #expect(try await backend.appointments().count == 2)
    }

    private func expectRetryable(_ response: ReceivedResponse) throws {
        #expect(response.status == 503, "\(response.text)")
        #expect(try !response.object().required("message").string().isEmpty)
    }
}
