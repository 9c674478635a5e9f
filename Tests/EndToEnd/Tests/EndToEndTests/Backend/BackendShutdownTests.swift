import Foundation
import SystemTestSupport
import Testing

@Suite(
    "The backend is terminated while 64 clients book",
    .throttled,
    .timeLimit(LongTests.timeLimit)
)
struct BackendShutdownTests {
    @Test("with a delay after SIGTERM, it is alive but not ready, and still accepts connections")
    func delayed() async throws {
        let backend = try await BackendProcess(["--shutdown-delay", "300"])
        #expect(try await backend.get("/health/ready").status == 200)
        backend.child.terminate()
        let deadline = ContinuousClock.now + .seconds(60)
        while try await backend.get("/health/ready").status != 503 {
            try #require(ContinuousClock.now < deadline, "it remains ready after SIGTERM")
        }
        #expect(try await backend.get("/health/live").status == 200)
        #expect(try await backend.response(to: .booking(0)).status == 201)
    }

    @Test("after SIGTERM, each request sent before is answered, and no other has an effect")
    func terminated() async throws {
        var generator = SeededGenerator()
        let seed = generator.description
        for round in 1...(LongTests.isEnabled ? 100 : 3) {
            let directory = try TemporaryDirectory()
            let database = directory.path + "/backend.sqlite"
            let backend = try await BackendProcess(database: database)
            let count = Int.random(in: 64...400, using: &generator)
            let load = await BookingLoad(0..<4_096, at: backend, afterAnswers: count) {
                backend.child.terminate()
            }
            let step = "\(seed), round \(round)"
            #expect(await backend.child.exitCode() == 0, "\(step)")
            let unanswered = load.sent.filter { $0.response == nil }
            let early = unanswered.filter { $0.sentAfter.map { $0 < load.sentBeforeEnd } == true }
            #expect(early.isEmpty, "\(step): \(early.count) sent before SIGTERM, not answered")
            #expect(load.sent.count < load.exchanges.count, "\(step): all were sent")
            let restarted = try await BackendProcess(database: database)
            let appointments = try await restarted.appointments()
            try load.expectConfirmed(in: appointments, step)
            #expect(appointments.count == load.confirmed, "\(step): booked without an answer")
            try await load.expectRepeatable(at: restarted, step)
        }
    }
}
