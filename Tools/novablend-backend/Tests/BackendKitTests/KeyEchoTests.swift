import BackendKit
import BookingStorageTestSupport
import Domain
import JSON
import Testing

@Suite("The idempotency key of a booking", .timeLimit(.minutes(10)))
struct KeyEchoTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    private func key(in response: Response?) throws -> String? {
        let body = Array(try #require(response).body.utf8)
        return try JSONDocument(parsing: body).root.object().optional("idempotencyKey")?.string()
    }

    private func listedKeys() throws -> [String?] {
        let response = try #require(exchange(server.port, "GET /appointments"))
        let root = try JSONDocument(parsing: Array(response.body.utf8)).root.object()
        return try root.required("appointments").array().map { element in
            try element.object().optional("idempotencyKey")?.string()
        }
    }

    @Test("every response contains the key that the appointment was booked with")
    func echoed() throws {
        let booked = try #require(server.post(try AlwaysOpenBackend.time(60), key: "k"))
        #expect(try key(in: booked) == "k")
        let id = try booked.appointment().id
        #expect(try key(in: server.get(id)) == "k")
        let moved = server.patch(id, to: try AlwaysOpenBackend.time(90), match: "\"1\"", key: "m")
        #expect(try key(in: moved) == "k")
        #expect(try listedKeys() == ["k"])
        let stale = try #require(server.delete(id, match: "\"1\""))
        let body = try JSONDocument(parsing: Array(stale.body.utf8)).root.object()
        let current = try body.required("appointment").object()
        #expect(try current.required("idempotencyKey").string() == "k")
        #expect(try key(in: server.delete(id, match: "\"2\"", key: "c")) == "k")
        #expect(try listedKeys() == ["k"])
    }

    @Test("an appointment that was booked without a key has no key")
    func absent() throws {
        let booked = try #require(server.post(try AlwaysOpenBackend.time(60)))
        #expect(try key(in: booked) == nil)
        let id = try booked.appointment().id
        #expect(try key(in: server.patch(id, to: try AlwaysOpenBackend.time(90), key: "m")) == nil)
        #expect(try listedKeys() == [nil])
    }

    @Test("the key survives a restart with the same file")
    func restart() throws {
        let database = try TemporaryDatabase()
        let first = try AlwaysOpenBackend(database: database.path)
        let id = try #require(first.post(try AlwaysOpenBackend.time(60), key: "k")).appointment().id
        first.backend.stop()
        let second = try AlwaysOpenBackend(database: database.path)
        defer { second.backend.stop() }
        #expect(try key(in: second.get(id)) == "k")
    }
}
