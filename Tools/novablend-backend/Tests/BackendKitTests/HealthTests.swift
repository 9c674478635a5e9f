import BookingStorage
import Synchronization
import Testing

@testable import BackendKit

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

    @Test("the database is checked once a second, no matter how many clients ask")
    func shared() async throws {
        let (time, count) = (Counter(), Counter())
        let check = HealthCheck(nanoseconds: { time.value }) { () async throws(StoreError) in
            if count.add(1) == 2 { throw .salonHasBookings }
        }
        func run(failing: Bool) async {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<50 {
                    group.addTask { (try? await check.run()) == nil }
                }
                for await hasFailed in group { #expect(hasFailed == failing) }
            }
        }
        await run(failing: false)
        time.add(HealthCheck.lifetime - 1)
        await run(failing: false)
        #expect(count.value == 1)
        time.add(1)
        await run(failing: true)
        #expect(count.value == 2)
        time.add(HealthCheck.lifetime)
        await run(failing: false)
        #expect(count.value == 3)
    }
}

private final class Counter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    @discardableResult
    func add(_ amount: Int) -> Int { number.add(amount, ordering: .relaxed).newValue }
}
