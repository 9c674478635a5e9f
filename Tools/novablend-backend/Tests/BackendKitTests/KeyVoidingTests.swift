import BackendKit
import Domain
import Testing

@Suite("Voiding an idempotency key", .timeLimit(.minutes(2)))
struct KeyVoidingTests {
    private let server: RoundTheClock

    init() throws { server = try RoundTheClock() }

    private func void(_ key: String) -> Answer? { server.void(key) }

    @Test("a voided key books nothing and changes nothing, and can be voided again")
    func voided() throws {
        let id = try server.book(try RoundTheClock.time(60)).id
        for _ in 0..<2 {
            let answer = try #require(void("k"))
            #expect(answer.status == 204 && answer.body.isEmpty)
        }
        let time = try RoundTheClock.time(120)
        for answer in [
            server.post(time, key: "k"), server.patch(id, to: time, key: "k"),
            server.delete(id, key: "k"),
        ] {
            let answer = try #require(answer)
            #expect(answer.status == 410)
            #expect(try answer.refusal().name == "keyVoided")
        }
        #expect(try server.appointments().map(\.version) == [1])
        #expect(server.post(time, key: "l")?.status == 201)
    }

    @Test("a key that booked is refused with the booking as it was answered, and stays used")
    func booked() throws {
        let time = try RoundTheClock.time(60)
        let booked = try #require(server.post(time, key: "k"))
        let id = try booked.appointment().id
        #expect(server.patch(id, to: try RoundTheClock.time(120))?.status == 200)
        for _ in 0..<2 {
            let answer = try #require(void("k"))
            #expect(answer.status == 409)
            #expect(try answer.refusal().name == "keyUsed")
            #expect(answer.body.contains(#""appointment":\#(booked.body)"#), "\(answer.body)")
        }
        #expect(server.post(time, key: "k")?.body == booked.body)
        #expect(try server.appointments().map(\.version) == [2])
    }

    @Test("a key that moved or cancelled an appointment is refused with what that gave")
    func changed() throws {
        let id = try server.book(try RoundTheClock.time(60)).id
        let moved = try #require(server.patch(id, to: try RoundTheClock.time(120), key: "m"))
        let cancelled = try #require(server.delete(id, key: "c"))
        #expect(cancelled.body.contains(#""status":"cancelled""#))
        for (key, expected) in [("m", moved), ("c", cancelled)] {
            let answer = try #require(void(key))
            #expect(answer.status == 409)
            #expect(answer.body.contains(#""appointment":\#(expected.body)"#), "\(answer.body)")
        }
    }

    @Test("the key of a request that was rejected can be voided")
    func rejected() throws {
        let time = try RoundTheClock.time(60)
        _ = try server.book(time)
        #expect(server.post(time, key: "k")?.status == 409)
        #expect(void("k")?.status == 204)
        #expect(server.post(try RoundTheClock.time(120), key: "k")?.status == 410)
    }

    @Test("it stays voided after a restart on the same file")
    func restart() throws {
        let database = try TemporaryDatabase()
        let first = try RoundTheClock(database: database.path)
        #expect(first.void("k")?.status == 204)
        first.backend.stop()
        let second = try RoundTheClock(database: database.path)
        defer { second.backend.stop() }
        #expect(second.post(try RoundTheClock.time(60), key: "k")?.status == 410)
    }

    @Test(
        "a key of any visible characters can be named in the path",
        arguments: [
            ("a/b", "a%2Fb"), ("//", "%2F%2F"), ("?#%25", "%3F%23%2525"), ("a+b", "a+b"),
            (String(repeating: "k", count: 255), String(repeating: "k", count: 255)),
        ]
    )
    func escaped(key: String, path: String) throws {
        #expect(void(path)?.status == 204)
        #expect(server.post(try RoundTheClock.time(60), key: key)?.status == 410)
    }

    @Test(
        "what is no key cannot be voided",
        arguments: [
            ("", 404), ("%20", 422), ("a%00", 422), ("%C3%A4", 422),
            (String(repeating: "k", count: 256), 422),
        ]
    )
    func invalid(path: String, status: Int) {
        #expect(void(path)?.status == status)
    }

    @Test("only DELETE is allowed")
    func methods() throws {
        let answer = try #require(exchange(server.port, "GET /idempotency-keys/k"))
        #expect(answer.status == 405 && answer.header("allow") == "DELETE")
    }

    @Test("a booking and a void race for one key, 20 times: exactly one of them wins")
    func race() async throws {
        for round in 0..<20 {
            let time = try RoundTheClock.time(round * 30)
            let answers = await answersAtOnce([
                { [server] in server.post(time, key: "k\(round)") },
                { [server] in server.void("k\(round)") },
            ])
            let statuses = answers.map { $0?.status ?? 0 }
            #expect([[201, 409], [410, 204]].contains(statuses), "\(statuses)")
            let isBooked = try server.appointments().contains {
                $0.booking.time.instant == time.instant
            }
            #expect(isBooked == (statuses[0] == 201))
        }
    }
}
