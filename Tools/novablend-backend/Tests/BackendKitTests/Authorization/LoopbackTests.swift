import BackendKit
import HTTPServing
import Testing
import WebPrimitives

@Suite("Other machines", .timeLimit(.minutes(10)))
struct LoopbackTests {
    private func failure(
        host: String,
        database: String = ":memory:",
        trusting networks: String = ""
    ) throws -> String? {
        let address = PublicAddress(trustedProxies: IPNetwork.list(networks) ?? [])
        do throws(Backend.StartFailure) {
            try Backend(database: database, host: host, publicAddress: address).stop()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("are not served by a backend without tokens or without a trusted proxy")
    func start() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        for host in ["0.0.0.0", "::", "[::]", "192.0.2.1"] {
            let both = try #require(try failure(host: host))
            #expect(both.contains("tokens create") && both.contains("--trusted-proxy"))
            let token = try #require(try failure(host: host, trusting: "10.0.0.1"))
            #expect(token.contains("tokens create") && !token.contains("--trusted-proxy"))
            let path = server.path
            let proxy = try #require(try failure(host: host, database: path))
            #expect(!proxy.contains("tokens create") && proxy.contains("--trusted-proxy"))
        }
        for host in ["127.0.0.1", "localhost", "127.3.2.1"] {
            #expect(try failure(host: host) == nil)
        }
    }

    @Test("are served by a backend with both")
    func both() async throws {
        let server = try await AuthorizedBackend(host: "0.0.0.0", trusting: "10.0.0.1")
        defer { server.stop() }
        #expect(try server.send("GET /salons").status == 200)
        #expect(try server.send("GET /appointments").status == 401)
    }

    @Test("are rejected behind a trusted proxy while there are no tokens, and told why")
    func forwarded() throws {
        let backend = try Backend(
            database: ":memory:",
            publicAddress: PublicAddress(trustedProxies: IPNetwork.list("127.0.0.1") ?? [])
        )
        defer { backend.stop() }
        func status(_ headers: String...) throws -> (Int, String) {
            let response = try #require(
                exchange(backend.port, "GET /salons", headers: headers)
            )
            return (response.status, response.body)
        }
        for field in [
            "Forwarded: for=192.0.2.9", "Forwarded: for=unknown", "X-Forwarded-For: 192.0.2.9",
            "X-Forwarded-For: 127.0.0.1, 192.0.2.9", "X-Forwarded-Proto: https",
        ] {
            let (code, body) = try status(field)
            #expect(code == 401, "\(field)")
            #expect(body.contains("notAuthenticated") && body.contains("tokens create"))
        }
        for field in [
            "X-Forwarded-For: 127.0.0.1:\u{600}, 192.0.2.9",
            "Forwarded: for=127.0.0.1;x=\", for=192.0.2.9",
            "Forwarded: for=192.0.2.9\u{37E}for=127.0.0.1",
        ] {
            #expect(try status(field).0 == 401, "\(field)")
        }
        #expect(try status("Forwarded: for=127.0.0.1", "X-Forwarded-For: 192.0.2.9").0 == 401)
        #expect(try status("Forwarded: for=127.0.0.1").0 == 200)
        #expect(try status("X-Forwarded-For: ::1").0 == 200)
        #expect(try status().0 == 200)
        #expect(exchange(backend.port, "GET /health/ready")?.status == 200)
    }

    @Test(
        "cannot use the browser of this machine: a page of a different host gets 403 while there are no tokens"
    )
    func rebinding() throws {
        let address = PublicAddress(publicURL: BaseURL("https://salon.example"))
        let backend = try Backend(database: ":memory:", publicAddress: address)
        defer { backend.stop() }
        func response(_ line: String, _ host: String) throws -> Response {
            let headers = ["Host: \(host)", "Origin: http://\(host)"]
            return try #require(exchange(backend.port, line, headers: headers))
        }
        let delete = "DELETE /idempotency-keys/k"
        for host in ["evil.example", "evil.example:\(backend.port)", "localhost.evil.example"] {
            for line in ["GET /appointments", "GET /salons", "GET /openapi.json"] {
                let response = try response(line, host)
                #expect(response.status == 403, "\(line) \(host)")
                #expect(try response.errorBody().name == "foreignHost")
            }
            #expect(try response(delete, host).status == 403, "\(host)")
            #expect(try response("GET /health/ready", host).status == 200)
        }
        for host in ["localhost:\(backend.port)", "127.0.0.1", "[::1]:1", "salon.example"] {
            #expect(try response("GET /appointments", host).status == 200, "\(host)")
        }
        #expect(try response(delete, "salon.example").status == 204)
    }

    @Test("may use any host as soon as there are tokens")
    func hosts() async throws {
        let server = try await AuthorizedBackend()
        defer { server.stop() }
        let token = try await server.create()
        let headers = ["Host: evil.example", "Authorization: Bearer \(token.text)"]
        let response = exchange(server.backend.port, "GET /appointments", headers: headers)
        #expect(response?.status == 200)
        #expect(try server.send("GET /appointments", "Host: evil.example").status == 401)
    }
}
