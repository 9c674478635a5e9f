import Domain
import Testing

@testable import BackendKit

@Suite("Changes that race", .timeLimit(.minutes(2)))
struct ChangeRaceTests {
    private let server: RoundTheClock

    init() throws { server = try RoundTheClock() }

    @Test("20 moves of one version: one is made, 19 are told that there is a newer one")
    func sameVersion() async throws {
        let id = try server.book(try RoundTheClock.time(0)).id
        let times = try (1...20).map { try RoundTheClock.time($0 * 30) }
        let answers = await answersAtOnce(
            times.map { time in { [server] in server.patch(id, to: time, match: "\"1\"") } }
        )
        let counts = answers.reduce(into: [:]) { $0[$1?.status ?? 0, default: 0] += 1 }
        #expect(counts == [200: 1, 412: 19])
        #expect(try server.appointments().map(\.version) == [2])
    }

    @Test("20 sendings of one cancellation with one key: all have the same answer")
    func sameKey() async throws {
        let id = try server.book(try RoundTheClock.time(0)).id
        let send = { @Sendable [server] in server.delete(id, match: "\"1\"", key: "k") }
        let answers = await answersAtOnce(Array(repeating: send, count: 20))
        #expect(Set(answers.map { $0?.status }) == [200])
        #expect(Set(answers.map { $0?.body }).count == 1)
        #expect(try server.appointments().map(\.version) == [2])
    }

    @Test("a move and a booking race for one slot, 20 times: one of them has it", arguments: 0..<20)
    func oneSlot(round: Int) async throws {
        let booked = try server.book(try RoundTheClock.time(0))
        let time = try RoundTheClock.time(60)
        let answers = await answersAtOnce([
            { [server] in server.patch(booked.id, to: time, match: "\"1\"") },
            { [server] in server.post(time) },
        ])
        let statuses = answers.map { $0?.status ?? 0 }
        #expect([[200, 409], [409, 201]].contains(statuses), "\(statuses)")
        let there = try server.appointments().filter { $0.booking.time.instant == time.instant }
        #expect(there.count == 1)
    }

    @Test("a cancellation and a move race: the other is told why not", arguments: 0..<10)
    func cancelOrMove(round: Int) async throws {
        let booked = try server.book(try RoundTheClock.time(0))
        let time = try RoundTheClock.time(60)
        let answers = await answersAtOnce([
            { [server] in server.patch(booked.id, to: time, match: "\"1\"") },
            { [server] in server.delete(booked.id, match: "\"1\"") },
        ])
        let statuses = answers.map { $0?.status ?? 0 }
        #expect([[200, 412], [404, 200]].contains(statuses), "\(statuses)")
    }
}
