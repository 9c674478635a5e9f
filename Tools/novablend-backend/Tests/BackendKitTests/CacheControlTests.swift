import Contract
import Domain
import Testing

@Suite("What caches may store", .timeLimit(.minutes(2)))
struct CacheControlTests {
    private let server: RoundTheClock

    init() throws { server = try RoundTheClock() }

    @Test("no answer about appointments or keys may be stored")
    func personal() throws {
        let time = try RoundTheClock.time(60)
        let booked = try #require(server.post(time, key: "k"))
        let id = try booked.appointment().id
        let list = try #require(exchange(server.port, "GET /appointments"))
        let tag = try #require(list.header("etag"))
        let known = ["If-None-Match: \(tag)"]
        let unchanged = exchange(server.port, "GET /appointments", headers: known)
        #expect(unchanged?.status == 304)
        let answers = [
            booked, list, unchanged, server.get(id), server.get("none"), server.post(time),
            server.patch(id, to: try RoundTheClock.time(120)), server.delete(id),
            exchange(server.port, "PUT /appointments"),
            exchange(server.port, "DELETE /idempotency-keys/k"),
            exchange(server.port, "DELETE /idempotency-keys/l"),
        ]
        for answer in answers {
            #expect(answer?.header("cache-control") == "no-store", "\(String(describing: answer))")
        }
    }

    @Test(
        "what is public may be stored, and must be revalidated",
        arguments: ["/salons", "/feed", "/feed?limit=2", "/movies", "/menu", "/images/ink.png"]
    )
    func revalidated(path: String) throws {
        let answer = try #require(exchange(server.port, "GET \(path)"))
        #expect(answer.status == 200 && answer.header("cache-control") == "no-cache")
        let known = ["If-None-Match: \(try #require(answer.header("etag")))"]
        let unchanged = try #require(exchange(server.port, "GET \(path)", headers: known))
        #expect(unchanged.status == 304 && unchanged.header("cache-control") == "no-cache")
    }

    @Test(
        "no error may be stored, since caches may store some for as long as they like",
        arguments: ["/none", "/salons/x/availability", "/feed?limit=0", "/images/none.png"]
    )
    func errors(path: String) {
        let answer = exchange(server.port, "GET \(path)")
        #expect((400...499).contains(answer?.status ?? 0))
        #expect(answer?.header("cache-control") == "no-store")
    }
}
