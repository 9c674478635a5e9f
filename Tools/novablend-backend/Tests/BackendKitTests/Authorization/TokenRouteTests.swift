import BackendKit
import BookingStorage
import BookingStorageTestSupport
import Domain
import Foundation
import HTTPServing
import SQLiteStorage
import Testing

@Suite("Requests with and without tokens", .timeLimit(.minutes(10)))
struct TokenRouteTests {
    private static let plain = #"Bearer realm="novablend""#
    private static let invalid = #"Bearer realm="novablend", error="invalid_token""#

    @Test("what is public needs no token, and an invalid one does not matter there")
    func publicRoutes() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        for path in [
            "/salons", "/salons/\(AlwaysOpenBackend.id)", "/feed", "/images/ink.png", "/health",
            "/health/live", "/health/ready", "/openapi.json",
        ] {
            for header in ["X: y", "Authorization: Bearer x", "Authorization: Basic eDp5"] {
                #expect(try server.send("GET \(path)", header).status == 200, "\(path)")
            }
        }
        #expect(try server.send("OPTIONS /appointments").status == 204)
        #expect(try server.send("PUT /appointments").status == 405)
        #expect(try server.send("GET /none").status == 404)
    }

    @Test(
        "everything else is 401 without a token, and says how to send one",
        arguments: [
            "GET /appointments", "GET /appointments/x", "HEAD /appointments", "POST /appointments",
            "PATCH /appointments/x", "DELETE /appointments/x", "POST /holds", "DELETE /holds/x",
            "GET /changes?kinds=appointments", "DELETE /idempotency-keys/x",
            "GET /salons/\(AlwaysOpenBackend.id)/conflicts",
            "PUT /salons/\(AlwaysOpenBackend.id)", "DELETE /salons/\(AlwaysOpenBackend.id)",
        ]
    )
    func missing(line: String) async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let response = try server.send(line)
        #expect(response.status == 401)
        #expect(response.header("www-authenticate") == Self.plain)
        #expect(response.header("cache-control") == "no-store")
        if !line.hasPrefix("HEAD") {
            #expect(try response.errorBody().name == "notAuthenticated")
        }
    }

    @Test("a valid token is accepted in any case of the scheme, and an appointment can be booked")
    func valid() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let token = try await server.create()
        for scheme in ["Bearer", "bearer", "BEARER", "Bearer  "] {
            let response = try server.send(
                "GET /appointments",
                "Authorization: \(scheme) \(token.text)"
            )
            #expect(response.status == 200, "\(scheme)")
        }
        let booked = try server.send(
            "POST /appointments",
            "Authorization: Bearer \(token.text)",
            body: AlwaysOpenBackend.booking(try AlwaysOpenBackend.time(0))
        )
        #expect(booked.status == 201)
    }

    @Test("an expired, a revoked, and an unknown token get the same 401")
    func invalidTokens() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let (expired, revoked) = (try await server.create(seconds: 0), try await server.create())
        _ = try await server.store.revokeToken(revoked.id, at: SystemClock().now)
        let other = AccessToken()
        var bodies: Set<String> = []
        for text in [expired.text, revoked.text, other.text, revoked.text + "x", "s3cret~+/=="] {
            let response = try server.send("GET /appointments", "Authorization: Bearer \(text)")
            #expect(response.status == 401, "\(text)")
            #expect(response.header("www-authenticate") == Self.invalid)
            #expect(!response.body.contains(text) && !response.head.contains(text))
            bodies.insert(response.body)
        }
        #expect(bodies.count == 1)
    }

    @Test("a valid token that does not permit a request gets 403, and the reason")
    func notAllowed() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let token = try await server.create(.customer(phone: "999999"))
        let response = try server.send(
            "POST /appointments",
            "Authorization: Bearer \(token.text)",
            body: AlwaysOpenBackend.booking(try AlwaysOpenBackend.time(0))
        )
        #expect(response.status == 403)
        #expect(try response.errorBody().name == "notAllowed")
        let challenge = #"Bearer realm="novablend", error="insufficient_scope""#
        #expect(response.header("www-authenticate") == challenge)
    }

    @Test("a request without a valid token is rejected before its body is received")
    func bodies() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        func status(_ line: String, _ headers: [String] = []) -> Int? {
            // A request that is not rejected is first answered with 100 (Continue).
            let headers = headers + ["Expect: 100-continue"]
            return exchange(server.backend.port, line, headers: headers, length: 5)?.status
        }
        #expect(status("POST /appointments") == 401)
        #expect(status("POST /appointments", ["Authorization: Bearer x"]) == 401)
        #expect(status("POST /none") == 404)
        #expect(status("POST /salons") == 405)
    }

    @Test("credentials that are not a token are 400, and those of a different scheme are ignored")
    func malformed() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let token = try await server.create()
        let field = "Authorization: Bearer \(token.text)"
        for headers in [
            ["Authorization: Bearer"], ["Authorization: Bearer \(token.text) x"],
            ["Authorization: Bearer \(token.text),"], ["Authorization: Bearer =="],
            ["Authorization: Bearer tök"], ["Authorization: Bearer \u{301}\(token.text)"],
            [field, field], [field, "Authorization: Basic eDp5"],
        ] {
            let response = try #require(
                exchange(server.backend.port, "GET /appointments", headers: headers)
            )
            #expect(response.status == 400, "\(headers)")
            let challenge = #"Bearer realm="novablend", error="invalid_request""#
            #expect(response.header("www-authenticate") == challenge)
            #expect(!response.body.contains(token.id))
        }
        for scheme in ["Basic", "Bearer\(token.id)", ""] {
            let response = try server.send(
                "GET /appointments",
                "Authorization: \(scheme) \(token.text)"
            )
            #expect(response.status == 401 && response.header("www-authenticate") == Self.plain)
        }
    }

    @Test("too many requests are 429 with Retry-After, and health has a limit of its own")
    func limit() async throws {
        let server = try await AuthorizedBackend(rateLimit: 1)
        defer { server.stop() }
        let port = server.backend.port
        let request = { @Sendable in exchange(port, "GET /salons") }
        var rejected: Response?
        let deadline = ContinuousClock.now + .seconds(60)
        while rejected == nil, ContinuousClock.now < deadline {
            let responses = await concurrentResponses(Array(repeating: request, count: 100))
            rejected = responses.compactMap(\.self).first { $0.status != 200 }
        }
        let response = try #require(rejected)
        #expect(response.status == 429 && response.header("retry-after") == "1")
        #expect(try response.errorBody().name == "tooManyRequests")
        #expect(try server.send("GET /health").status == 200)
        let monitor = { @Sendable in exchange(port, "GET /health/live") }
        var statuses: Set<Int> = []
        while !statuses.contains(429), ContinuousClock.now < deadline {
            let responses = await concurrentResponses(Array(repeating: monitor, count: 100))
            statuses.formUnion(responses.compactMap { $0?.status })
        }
        #expect(statuses == [200, 429])
    }

    @Test("a token that expires while a client waits for changes ends the wait with 401")
    func longPoll() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let lasting = try await server.create()
        let first = try server.send("GET /changes", "Authorization: Bearer \(lasting.text)")
        let token = try await server.create(seconds: 3)
        let field = "Authorization: Bearer \(token.text)"
        let cursor = try #require(first.body.firstMatch(of: /"cursor":"([^"]*)"/)).output.1
        let port = server.backend.port
        let responses = await concurrentResponses([
            { exchange(port, "GET /changes?since=\(cursor)&wait=25", headers: [field]) }
        ])
        let response = try #require(responses.first ?? nil)
        #expect(response.status == 401)
        #expect(response.header("www-authenticate") == Self.invalid)
    }

    @Test("after an erasure by a different process, a token that was just used changes nothing")
    func erased() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let token = try await server.create(.customer(phone: "12345"))
        let field = "Authorization: Bearer \(token.text)"
        let booking = AlwaysOpenBackend.booking(try AlwaysOpenBackend.time(0))
        let booked = try server.send("POST /appointments", field, body: booking)
        let id = try #require(try booked.appointment().id)
        _ = try await server.store.eraseCustomer("12345", cancelsAppointments: true)
        let other = AlwaysOpenBackend.booking(try AlwaysOpenBackend.time(60))
        let change = AlwaysOpenBackend.change(to: try AlwaysOpenBackend.time(120))
        for (line, body) in [
            ("POST /appointments", other), ("POST /holds", other), ("DELETE /holds/x", ""),
            ("PATCH /appointments/\(id)", change), ("DELETE /appointments/\(id)", ""),
            ("DELETE /idempotency-keys/x", ""),
        ] {
            let response = try server.send(line, field, "If-Match: *", body: body)
            #expect(response.status == 401, "\(line): \(response)")
            #expect(response.header("www-authenticate") == Self.invalid)
        }
        #expect(try await server.store.customerData(of: "12345").isEmpty)
    }

    @Test("after tokens are reread, a revoked token is not even accepted for reading")
    func reread() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let token = try await server.create()
        let field = "Authorization: Bearer \(token.text)"
        #expect(try server.send("GET /appointments", field).status == 200)
        _ = try await server.store.revokeToken(token.id, at: SystemClock().now)
        server.backend.rereadTokens()
        #expect(try server.send("GET /appointments", field).status == 401)
    }

    @Test("after tokens are reread, the first token is required")
    func firstToken() async throws {
        let directory = try TemporaryDatabase()
        let backend = try Backend(database: directory.path)
        defer { backend.stop() }
        #expect(exchange(backend.port, "GET /appointments")?.status == 200)
        let store = try SQLiteBookingStore(path: directory.path, clock: SystemClock())
        defer { store.close() }
        let (token, now) = (AccessToken(), SystemClock().now)
        try await store.create(
            StoredToken(id: token.id, role: .administrator, hash: token.hash, createdAt: now)
        )
        backend.rereadTokens()
        #expect(exchange(backend.port, "GET /appointments")?.status == 401)
    }

    @Test("if the database cannot be read, a token that is not known yet is 503 and not 401")
    func unavailable() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let token = try await server.create()
        unlink(server.path)
        let deadline = ContinuousClock.now + .seconds(60)
        while try server.send("GET /salons").status == 200, ContinuousClock.now < deadline {}
        let response = try server.send("GET /appointments", "Authorization: Bearer \(token.text)")
        #expect(response.status == 503)
        #expect(try response.errorBody().name == "storage")
    }
}
