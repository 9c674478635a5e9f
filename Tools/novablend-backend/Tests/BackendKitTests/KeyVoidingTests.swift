import BackendKit
import BookingStorageTestSupport
import Domain
import Testing

@Suite("Voiding an idempotency key", .timeLimit(.minutes(10)))
struct KeyVoidingTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    private func void(_ key: String) -> Response? { server.void(key) }

    @Test("requests with a voided key change nothing, and the key can be voided again")
    func voided() throws {
        let id = try server.book(try AlwaysOpenBackend.time(60)).id
        for _ in 0..<2 {
            let response = try #require(void("k"))
            #expect(response.status == 204 && response.body.isEmpty)
        }
        let time = try AlwaysOpenBackend.time(120)
        for response in [
            server.post(time, key: "k"), server.patch(id, to: time, key: "k"),
            server.delete(id, key: "k"),
        ] {
            let response = try #require(response)
            #expect(response.status == 410)
            #expect(try response.errorBody().name == "keyVoided")
        }
        #expect(try server.appointments().map(\.version) == [1])
        #expect(server.post(time, key: "l")?.status == 201)
    }

    @Test("a key that booked an appointment cannot be voided; the error shows that booking")
    func booked() throws {
        let time = try AlwaysOpenBackend.time(60)
        let booked = try #require(server.post(time, key: "k"))
        let id = try booked.appointment().id
        #expect(server.patch(id, to: try AlwaysOpenBackend.time(120))?.status == 200)
        for _ in 0..<2 {
            let response = try #require(void("k"))
            #expect(response.status == 409)
            #expect(try response.errorBody().name == "keyUsed")
            #expect(response.body.contains(#""appointment":\#(booked.body)"#), "\(response.body)")
        }
        #expect(server.post(time, key: "k")?.body == booked.body)
        #expect(try server.appointments().map(\.version) == [2])
    }

    @Test(
        "a key that moved or cancelled an appointment cannot be voided; the error shows the result"
    )
    func changed() throws {
        let id = try server.book(try AlwaysOpenBackend.time(60)).id
        let moved = try #require(server.patch(id, to: try AlwaysOpenBackend.time(120), key: "m"))
        let cancelled = try #require(server.delete(id, key: "c"))
        #expect(cancelled.body.contains(#""status":"cancelled""#))
        for (key, expected) in [("m", moved), ("c", cancelled)] {
            let response = try #require(void(key))
            #expect(response.status == 409)
            #expect(response.body.contains(#""appointment":\#(expected.body)"#), "\(response.body)")
        }
    }

    @Test("the key of a request that was rejected can be voided")
    func rejected() throws {
        let time = try AlwaysOpenBackend.time(60)
        _ = try server.book(time)
        #expect(server.post(time, key: "k")?.status == 409)
        #expect(void("k")?.status == 204)
        #expect(server.post(try AlwaysOpenBackend.time(120), key: "k")?.status == 410)
    }

    @Test("a key remains voided after a restart with the same file")
    func restart() throws {
        let database = try TemporaryDatabase()
        let first = try AlwaysOpenBackend(database: database.path)
        #expect(first.void("k")?.status == 204)
        first.backend.stop()
        let second = try AlwaysOpenBackend(database: database.path)
        defer { second.backend.stop() }
        #expect(second.post(try AlwaysOpenBackend.time(60), key: "k")?.status == 410)
    }

    @Test(
        "a path can contain any valid key, percent-encoded",
        arguments: [
            ("a/b", "a%2Fb"), ("//", "%2F%2F"), ("?#%25", "%3F%23%2525"), ("a+b", "a+b"),
            (String(repeating: "k", count: 255), String(repeating: "k", count: 255)),
        ]
    )
    func escaped(key: String, path: String) throws {
        #expect(void(path)?.status == 204)
        #expect(server.post(try AlwaysOpenBackend.time(60), key: key)?.status == 410)
    }

    @Test(
        "an invalid key cannot be voided",
        arguments: [
            ("", 404), ("%20", 422), ("a%00", 400), ("%C3%A4", 422),
            (String(repeating: "k", count: 256), 422),
        ]
    )
    func invalid(path: String, status: Int) {
        #expect(void(path)?.status == status)
    }

    @Test("only DELETE is allowed")
    func methods() throws {
        let response = try #require(exchange(server.port, "GET /idempotency-keys/k"))
        #expect(response.status == 405 && response.header("allow") == "DELETE, OPTIONS")
    }

    @Test("if a booking and the voiding of its key race, exactly one succeeds")
    func race() async throws {
        for round in 0..<20 {
            let time = try AlwaysOpenBackend.time(round * 30)
            let responses = await concurrentResponses([
                { [server] in server.post(time, key: "k\(round)") },
                { [server] in server.void("k\(round)") },
            ])
            let statuses = responses.map { $0?.status ?? 0 }
            #expect([[201, 409], [410, 204]].contains(statuses), "\(statuses)")
            let isBooked = try server.appointments().contains {
                $0.booking.time.instant == time.instant
            }
            #expect(isBooked == (statuses[0] == 201))
        }
    }
}
