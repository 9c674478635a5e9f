import BackendKit
import BookingStorageTestSupport
import Domain
import Foundation
import Testing

@testable import SQLiteStorage

@Suite("A failing database", .timeLimit(.minutes(10)))
struct StorageFailureTests {
    @Test("if a different program locks it, reads go on, and a change is 503 with Retry-After")
    func locked() async throws {
        let database = try TemporaryDatabase()
        let server = try AlwaysOpenBackend(database: database.path)
        defer { server.backend.stop() }
        let port = server.port
        let booked = try server.book(try AlwaysOpenBackend.time(0))
        let other = try Database(path: database.path, access: .create)
        try other.beginImmediate()
        let time = try AlwaysOpenBackend.time(60)
        let responses = await concurrentResponses([
            { server.post(time) },
            { exchange(port, "GET /health/ready") },
            { exchange(port, "GET /health/live") },
            { exchange(port, "GET /salons") },
            { exchange(port, "GET /appointments/\(booked.id ?? "")") },
        ])
        #expect(responses.map { $0?.status } == [503, 503, 200, 200, 200])
        for failure in responses.prefix(2) {
            let failure = try #require(failure)
            #expect(failure.header("retry-after") == "1")
            #expect(failure.header("cache-control") == "no-store")
            #expect(try failure.errorBody().name == "storage")
        }
        other.rollback()
        #expect(server.post(time)?.status == 201)
        try server.wait(for: 200, "GET /health/ready")
    }

    @Test("if its file is deleted, requests and the readiness check are 503 without Retry-After")
    func deleted() throws {
        let database = try TemporaryDatabase()
        let address = MetricsAddress("127.0.0.1:0")
        let server = try AlwaysOpenBackend(database: database.path, metrics: address)
        defer { server.backend.stop() }
        #expect(exchange(server.port, "GET /health/ready")?.status == 200)
        unlink(database.path)
        let deadline = ContinuousClock.now + .seconds(30)
        var response = exchange(server.port, "GET /salons")
        while response?.status == 200, ContinuousClock.now < deadline {
            response = exchange(server.port, "GET /salons")
        }
        #expect(response?.status == 503 && response?.header("retry-after") == nil)
        #expect(try response?.errorBody().name == "storage")
        #expect(exchange(server.port, "GET /health/live")?.status == 200)
        let metrics = exchange(try #require(server.backend.metricsPort), "GET /metrics")
        let line = #/novablend_database_errors_total\{kind="fileReplaced"\} [1-9]/#
        #expect(metrics?.body.contains(line) == true)
        #expect(exchange(server.port, "GET /health/ready")?.status == 503)
        #expect(server.post(try AlwaysOpenBackend.time(0))?.status == 503)
    }
}
