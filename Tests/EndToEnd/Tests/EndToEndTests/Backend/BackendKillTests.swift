import Foundation
import Testing

@Suite("The backend is killed while 64 clients book", .throttled, .timeLimit(.minutes(30)))
struct BackendKillTests {
    @Test("after SIGKILL, each confirmed booking exists once, and any can be repeated by its key")
    func killed() async throws {
        var generator = SeededGenerator()
        let seed = generator.description
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        var backend = try await BackendProcess(database: database)
        for round in 0..<(LongTests.isEnabled ? 200 : 5) {
            let child = backend.child
            let count = Int.random(in: 1...300, using: &generator)
            let numbers = (round * 2_048)..<(round * 2_048 + 2_048)
            let load = await BookingLoad(numbers, at: backend, afterAnswers: count) {
                child.kill()
            }
            let step = "\(seed), round \(round)"
            #expect(load.sent.count < load.exchanges.count, "\(step): all were sent")
            backend = try await BackendProcess(database: database)
            try load.expectConfirmed(in: try await backend.appointments(), step)
            try await load.expectRepeatable(at: backend, step)
        }
        await backend.stop()
    }
}
