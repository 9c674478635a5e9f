import Foundation
import SystemTestSupport
import Testing

@Suite("The backend is killed while clients book", .throttled, .timeLimit(LongTests.timeLimit))
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

    @Test("after SIGKILL, holds, bookings of staff and seats, and moves are complete or absent")
    func killedRace() async throws {
        var generator = SeededGenerator()
        let seed = generator.description
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        var backend = try await backend(with: database)
        for round in 0..<(LongTests.isEnabled ? 200 : 6) {
            let child = backend.child
            let count = Int.random(in: 1...400, using: &generator)
            let race = await RaceRecord(
                clients: 24,
                requests: 500,
                round: round,
                at: backend,
                &generator
            ) { answered in if answered == count { child.kill() } }
            backend = try await BackendProcess(database: database)
            try await expectComplete(race, at: backend, database, "\(seed), round \(round)")
        }
        await backend.stop()
    }

    @Test(
        "a hold, its booking, a move, and a cancellation that are killed at any write are complete or absent",
        .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here"),
        arguments: [("fdatasync", 1), ("pwrite64", LongTests.isEnabled ? 1 : 9)]
    )
    func killedAtWrite(call: String, stride: Int) async throws {
        var generator = SeededGenerator()
        let seed = generator.description
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        try await backend(with: database).stop()
        var step = Int.random(in: 1...stride, using: &generator)
        let first = step
        var wasKilled = true
        while wasKilled {
            try #require(step <= Tracer.maximumSteps, "\(call) is called more often")
            let tracer = Tracer(call: call, step: step)
            var race = RaceRecord([])
            // The backend may be killed before it listens.
            if let traced = await BackendProcess(database: database, through: tracer) {
                race = try await record(step, at: traced, &generator)
                traced.child.terminate()
                _ = await traced.child.exitCode()
            }
            wasKilled = race.entries.last?.response == nil
            let backend = try await BackendProcess(database: database)
            try await expectComplete(race, at: backend, database, "\(seed), \(call) \(step)")
            await backend.stop()
            step += stride
        }
        #expect(step > first + stride, "\(call) was never called")
    }

    /// A backend with the salons of a race.
    private func backend(with database: String) async throws -> BackendProcess {
        let backend = try await BackendProcess(database: database)
        for salon in RaceSalon.allCases {
            #expect(try await backend.response(to: salon.creation).status == 201)
        }
        return backend
    }

    private func record(
        _ round: Int,
        at backend: BackendProcess,
        _ generator: inout SeededGenerator
    ) async throws -> RaceRecord {
        let numbers = SeededGenerator(splitting: &generator)
        let port = backend.port.number
        let entries = await onThread {
            Result {
                let known = RacingClient.KnownAppointments()
                var client = RacingClient(0, round, port, known, numbers)
                return try client?.sendOneOfEach() ?? []
            }
        }
        return RaceRecord(try entries.get())
    }

    /// Expects that the backend agrees with the answers, and that the bookings without an answer can be
    /// repeated.
    private func expectComplete(
        _ race: RaceRecord,
        at backend: BackendProcess,
        _ database: String,
        _ step: String
    ) async throws {
        try await race.expectComplete(at: backend, database, step)
        let listed = try await backend.listedAppointments { try RaceAppointment($0) }
        try await expectRepeatable(race, listed, at: backend, step)
        try await DatabaseReader.expectConsistentOccupancy(in: database, "\(step), repeated")
    }

    /// Repeats the bookings that were not answered, and expects that those that exist are returned.
    private func expectRepeatable(
        _ race: RaceRecord,
        _ listed: [RaceAppointment],
        at backend: BackendProcess,
        _ step: String
    ) async throws {
        let ids = Dictionary(listed.map { ($0.key, $0.id) }) { first, _ in first }
        let client = LoadClient(port: backend.port.number, connections: 8)
        for exchange in await client.run(race.unansweredBookings) {
            let key = exchange.request.key
            let response = try #require(exchange.response, "\(step): \(key)")
            let repeated = try RaceAppointment(response)
            #expect(repeated != nil || response.status == 409, "\(step): \(response.text)")
            if let id = ids[key] { #expect(repeated?.id == id, "\(step): \(key)") }
        }
    }
}
