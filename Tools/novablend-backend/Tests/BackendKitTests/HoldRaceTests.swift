import BackendKit
import Contract
import Domain
import DomainTestSupport
import Testing

@Suite("Concurrent holds and bookings", .timeLimit(.minutes(10)))
struct HoldRaceTests {
    private static let ana = BookingOptions(serviceID: "cut", staffID: "ana")
    private static let strangers = (1...12).map { "\(60_000 + $0)" }

    private let clock = ManualClock(SystemClock().now)
    private let server: AlwaysOpenBackend
    private let time: AppointmentTime

    init() throws {
        server = try StaffFixture.makeBackend(clock: clock)
        time = try AlwaysOpenBackend.time(600)
    }

    /// How many responses have each status.
    private func counts(_ responses: [Response?]) -> [Int: Int] {
        responses.reduce(into: [:]) { $0[$1?.status ?? 0, default: 0] += 1 }
    }

    private func bookingsByStrangers() -> [@Sendable () -> Response?] {
        Self.strangers.map { phone in
            { [server, time] in server.post(time, Self.ana, phone: phone) }
        }
    }

    @Test("if a hold expires while it is booked, the holder or another one gets the time, not both")
    func expiring() async throws {
        var winners: Set<Bool> = []
        for _ in 0..<30 {
            let hold = try #require(server.hold(time, Self.ana, minutes: 1)).hold()
            let responses = await concurrentResponses(
                [
                    { [server, time] in server.post(time, Self.ana, holdID: hold.id) },
                    { [clock] in
                        clock.advance(bySeconds: 60)
                        return nil
                    },
                ] + bookingsByStrangers()
            )
            #expect(counts(responses) == [201: 1, 409: Self.strangers.count, 0: 1])
            let booked = try server.appointments().filter { $0.status == .booked }
            #expect(booked.count == 1)
            let isHolder = responses[0]?.status == 201
            winners.insert(isHolder)
            #expect((booked.first?.booking.phone == "12345") == isHolder)
            // The hold is over in either case, and its time belongs to the booking.
            #expect(server.release(hold.id)?.status == 204)
            #expect(server.hold(time, Self.ana, phone: "70000")?.status == 409)
            #expect(server.delete(booked.first?.id)?.status == 200)
        }
        print("a hold that expired was booked by: \(winners.map { $0 ? "its holder" : "another" })")
    }

    @Test("while a hold lasts, only its holder can book the time", arguments: [0, 59])
    func lasting(seconds: Int64) async throws {
        let hold = try #require(server.hold(time, Self.ana, minutes: 1)).hold()
        clock.advance(bySeconds: seconds)
        let rejected = await concurrentResponses(bookingsByStrangers())
        #expect(counts(rejected) == [409: Self.strangers.count])
        let responses = await concurrentResponses(
            bookingsByStrangers() + [
                { [server, time] in server.post(time, Self.ana, holdID: hold.id) }
            ]
        )
        #expect(responses.last??.status == 201)
        #expect(counts(responses) == [201: 1, 409: Self.strangers.count])
    }

    @Test("a hold that is booked 20 times at the same time becomes one appointment")
    func bookedRepeatedly() async throws {
        let hold = try #require(server.hold(time, Self.ana)).hold()
        let requests = (0..<20).map { index -> @Sendable () -> Response? in
            // Half of the requests have the same key, so they are repetitions of one request.
            { [server, time] in
                let key = index % 2 == 0 ? "same" : "\(index)"
                return server.post(time, Self.ana, holdID: hold.id, key: key)
            }
        }
        let responses = await concurrentResponses(requests)
        let booked = responses.compactMap(\.self).filter { $0.status == 201 }
        #expect([1, 10].contains(booked.count) && Set(booked.map(\.body)).count == 1)
        #expect(counts(responses)[409] == 20 - booked.count)
        #expect(try server.appointments().count == 1)
    }

    @Test("if a hold is released while it is booked, one happens first, and no time is lost")
    func released() async throws {
        for _ in 0..<20 {
            let hold = try #require(server.hold(time, Self.ana)).hold()
            let responses = await concurrentResponses([
                { [server, time] in server.post(time, Self.ana, holdID: hold.id) },
                { [server] in server.release(hold.id) },
                { [server, time] in server.post(time, Self.ana, phone: "70000") },
            ])
            #expect(counts(responses) == [201: 1, 204: 1, 409: 1])
            let booked = try server.appointments().filter { $0.status == .booked }
            #expect(booked.count == 1)
            #expect(server.delete(booked.first?.id)?.status == 200)
        }
    }

    @Test("of 20 clients that hold a time, as many succeed as staff members are free")
    func heldAtOnce() async throws {
        let requests = (0..<20).map { index -> @Sendable () -> Response? in
            { [server, time] in
                server.hold(time, BookingOptions(serviceID: "cut"), phone: "\(80_000 + index)")
            }
        }
        let responses = await concurrentResponses(requests)
        #expect(counts(responses) == [201: 2, 409: 18])
        let holds = try responses.compactMap(\.self).filter { $0.status == 201 }
            .map { try $0.hold() }
        #expect(Set(holds.map(\.staffID)) == ["ana", "ben"])
    }

    @Test("of 20 holds of one caller at the same time, three succeed")
    func limit() async throws {
        let times = try (0..<20).map { try AlwaysOpenBackend.time(600 + 30 * $0) }
        let responses = await concurrentResponses(
            times.map { time in { [server] in server.hold(time, Self.ana) } }
        )
        #expect(counts(responses) == [201: 3, 429: 17])
    }
}
