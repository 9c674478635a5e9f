import Contract
import Domain
import Testing

@Suite("What caches may store", .timeLimit(.minutes(10)))
struct CacheControlTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    @Test("responses about appointments or keys must not be stored")
    func personal() throws {
        let time = try AlwaysOpenBackend.time(60)
        let booked = try #require(server.post(time, key: "k"))
        let id = try booked.appointment().id
        let list = try #require(exchange(server.port, "GET /appointments"))
        let tag = try #require(list.header("etag"))
        let known = ["If-None-Match: \(tag)"]
        let unchanged = exchange(server.port, "GET /appointments", headers: known)
        #expect(unchanged?.status == 304)
        let responses = [
            booked, list, unchanged, server.get(id), server.get("none"), server.post(time),
            server.patch(id, to: try AlwaysOpenBackend.time(120)), server.delete(id),
            exchange(server.port, "PUT /appointments"),
            exchange(server.port, "DELETE /idempotency-keys/k"),
            exchange(server.port, "DELETE /idempotency-keys/l"),
            exchange(server.port, "GET /salons/\(AlwaysOpenBackend.id)/conflicts"),
            exchange(server.port, "GET /health/live"), exchange(server.port, "GET /health/ready"),
        ]
        for response in responses {
            #expect(
                response?.header("cache-control") == "no-store",
                "\(String(describing: response))"
            )
        }
    }

    @Test(
        "public responses may be stored and must be revalidated",
        arguments: [
            "/salons", "/salons/\(AlwaysOpenBackend.id)", "/openapi.json", "/feed", "/feed?limit=2",
            "/movies", "/menu", "/images/ink.png",
        ]
    )
    func revalidated(path: String) throws {
        let response = try #require(exchange(server.port, "GET \(path)"))
        #expect(response.status == 200 && response.header("cache-control") == "no-cache")
        let known = ["If-None-Match: \(try #require(response.header("etag")))"]
        let unchanged = try #require(exchange(server.port, "GET \(path)", headers: known))
        #expect(unchanged.status == 304 && unchanged.header("cache-control") == "no-cache")
    }

    @Test(
        "errors must not be stored",
        arguments: ["/none", "/salons/x/availability", "/feed?limit=0", "/images/none.png"]
    )
    func errors(path: String) {
        let response = exchange(server.port, "GET \(path)")
        #expect((400...499).contains(response?.status ?? 0))
        #expect(response?.header("cache-control") == "no-store")
    }
}
