import BackendKit
import BookingStorageTestSupport
import Synchronization
import Testing

@testable import SQLiteStorage

@Suite("The health of the backend", .timeLimit(.minutes(10)))
struct HealthTests {
    @Test("a backend that serves is alive and ready", arguments: ["", "/live", "/ready"])
    func healthy(path: String) throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        let response = exchange(server.port, "GET /health\(path)")
        #expect(response?.status == 200 && response?.body == #"{"status":"ok"}"#)
    }

    @Test("a backend that is about to stop is alive but not ready, and serves everything else")
    func draining() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        server.backend.prepareToStop()
        for path in ["/health", "/health/ready"] {
            let response = try #require(exchange(server.port, "GET \(path)"))
            #expect(response.status == 503, "\(path)")
            #expect(try response.errorBody().name == "stopping")
        }
        #expect(exchange(server.port, "GET /health/live")?.status == 200)
        #expect(exchange(server.port, "GET /salons")?.status == 200)
        #expect(server.post(try AlwaysOpenBackend.time(0))?.status == 201)
    }

    @Test("readiness is answered while a change still waits for a lock, and recovers after it")
    func locked() async throws {
        let database = try TemporaryDatabase()
        let address = MetricsAddress("127.0.0.1:0")
        let server = try AlwaysOpenBackend(database: database.path, metrics: address)
        defer { server.backend.stop() }
        let metrics = try #require(server.backend.metricsPort)
        let other = try Database(path: database.path, access: .create)
        try other.beginImmediate()
        let deadline = ContinuousClock.now + .seconds(60)
        var isAnsweredFirst = false
        // On a busy machine, the change may give up before the request of readiness is sent.
        while !isAnsweredFirst {
            try #require(ContinuousClock.now < deadline, "readiness waits for the change")
            isAnsweredFirst = try await checkDuringChange(server, metrics)
        }
        other.rollback()
        // A check that was late continues until the database has answered it.
        try server.wait(for: 200, "GET /health/ready")
    }

    /// Requests a change and, while it waits for the lock, readiness. Both fail. Returns whether
    /// readiness was answered before the change.
    private func checkDuringChange(
        _ server: AlwaysOpenBackend,
        _ metrics: UInt16
    ) async throws -> Bool {
        let time = try AlwaysOpenBackend.time(60)
        let answers = Mutex<[String]>([])
        let responses = await concurrentResponses([
            {
                defer { answers.withLock { $0.append("change") } }
                return server.post(time)
            },
            {
                defer { answers.withLock { $0.append("readiness") } }
                let waits = "novablend_database_waiting_changes 1\n"
                while answers.withLock(\.isEmpty),
                    exchange(metrics, "GET /metrics")?.body.contains(waits) == false
                {}
                return exchange(server.port, "GET /health/ready")
            },
        ])
        #expect(responses.map { $0?.status } == [503, 503])
        return answers.withLock { $0 } == ["readiness", "change"]
    }
}
