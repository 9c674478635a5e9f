import Domain
import Testing

@testable import BackendKit

@Suite("Concurrent changes", .timeLimit(.minutes(10)))
struct ChangeRaceTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    @Test("if 20 clients move the same version, one succeeds and 19 get a version conflict")
    func sameVersion() async throws {
        let id = try server.book(try AlwaysOpenBackend.time(0)).id
        let times = try (1...20).map { try AlwaysOpenBackend.time($0 * 30) }
        let responses = await concurrentResponses(
            times.map { time in { [server] in server.patch(id, to: time, match: "\"1\"") } }
        )
        let counts = responses.reduce(into: [:]) { $0[$1?.status ?? 0, default: 0] += 1 }
        #expect(counts == [200: 1, 412: 19])
        #expect(try server.appointments().map(\.version) == [2])
    }

    @Test("a cancellation that is sent 20 times with one key gets the same response each time")
    func sameKey() async throws {
        let id = try server.book(try AlwaysOpenBackend.time(0)).id
        let send = { @Sendable [server] in server.delete(id, match: "\"1\"", key: "k") }
        let responses = await concurrentResponses(Array(repeating: send, count: 20))
        #expect(Set(responses.map { $0?.status }) == [200])
        #expect(Set(responses.map { $0?.body }).count == 1)
        #expect(try server.appointments().map(\.version) == [2])
    }

    @Test("if a move and a booking race for a slot, exactly one succeeds", arguments: 0..<20)
    func oneSlot(round: Int) async throws {
        let id = try server.book(try AlwaysOpenBackend.time(0)).id
        let time = try AlwaysOpenBackend.time(60)
        let responses = await concurrentResponses([
            { [server] in server.patch(id, to: time, match: "\"1\"") },
            { [server] in server.post(time) },
        ])
        let statuses = responses.map { $0?.status ?? 0 }
        #expect([[200, 409], [409, 201]].contains(statuses), "\(statuses)")
        let booked = try server.appointments().filter { $0.booking.time.instant == time.instant }
        #expect(booked.count == 1)
    }

    @Test("if a cancellation and a move race, the second one gets an error", arguments: 0..<10)
    func cancelOrMove(round: Int) async throws {
        let booked = try server.book(try AlwaysOpenBackend.time(0))
        let time = try AlwaysOpenBackend.time(60)
        let responses = await concurrentResponses([
            { [server] in server.patch(booked.id, to: time, match: "\"1\"") },
            { [server] in server.delete(booked.id, match: "\"1\"") },
        ])
        let statuses = responses.map { $0?.status ?? 0 }
        #expect([[200, 412], [404, 200]].contains(statuses), "\(statuses)")
    }
}
