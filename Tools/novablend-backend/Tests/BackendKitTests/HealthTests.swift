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
        let time = try AlwaysOpenBackend.time(60)
        let isChangeAnswered = Atomic(false)
        let change = { @Sendable () -> Response? in
            defer { isChangeAnswered.store(true, ordering: .relaxed) }
            return server.post(time)
        }
        let check = { @Sendable () -> Response? in
            let waits = "novablend_database_waiting_changes 1\n"
            while exchange(metrics, "GET /metrics")?.body.contains(waits) == false {}
            let response = exchange(server.port, "GET /health/ready")
            return isChangeAnswered.load(ordering: .relaxed) ? nil : response
        }
        let responses = await concurrentResponses([change, check])
        #expect(responses.map { $0?.status } == [503, 503])
        other.rollback()
        // A check that was late continues until the database has answered it.
        try server.wait(for: 200, "GET /health/ready")
    }
}
