import BackendKit
import Testing

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
}
