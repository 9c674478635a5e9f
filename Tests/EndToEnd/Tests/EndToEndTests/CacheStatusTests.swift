import Foundation
import JSON
import Testing

@Suite("cache/status", .throttled, .timeLimit(.minutes(10)))
struct CacheStatusTests {
    private func resource(_ name: String, _ status: JSONObject) throws -> JSONObject {
        let all = try status.required("resources").array().map { try $0.object() }
        return try #require(try all.first { try $0.required("name").string() == name })
    }

    @Test("it reports unreadable lists and counts quarantined files, and changes nothing")
    func damage() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("salons/list")
        _ = try await client.result("menu/list")
        let file = try client.cached("salons.snapshot")
        try Data("garbage".utf8).write(to: URL(filePath: file))
        let status = try await client.result("cache/status")
        let salons = try resource("salons", status)
        #expect(try salons.required("state").string() == "unreadable" && salons["reason"] != nil)
        #expect(try resource("menu", status).required("state").string() == "fresh")
        #expect(try resource("movies", status).required("state").string() == "empty")
        #expect(try status.required("damagedFiles").integer() == 0)
        #expect(try Data(contentsOf: URL(filePath: file)) == Data("garbage".utf8))
        _ = try await client.result("salons/list")
        #expect(try await client.result("cache/status").required("damagedFiles").integer() == 1)
    }

    @Test("it reports an expired list, and does not delete it")
    func expired() async throws {
        let backend = try await BackendProcess()
        let first = try Novablend(["--base-url", backend.url])
        _ = try await first.result("salons/list")
        let wrapper = FakeClock.ahead(by: "8d")
        let later = try Novablend(
            ["--base-url", backend.url],
            in: first.directory,
            through: wrapper
        )
        for _ in 0..<2 {
            let salons = try resource("salons", try await later.result("cache/status"))
            #expect(try salons.required("state").string() == "expired")
            #expect(try salons.required("ageSeconds").integer() >= 8 * 86_400)
        }
    }

    @Test("it counts images, their bytes, and open intents, and reports a damaged journal")
    func totals() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("appointments/book", Sample.booking())
        _ = try await client.result("feed/list")
        let image = try await client.result(
            "feed/image",
            #"{"url":"\#(backend.url)/images/teal.png"}"#
        )
        #expect(image["data"] != nil)
        let status = try await client.result("cache/status")
        let images = try status.required("images").object()
        #expect(
            try images.required("count").integer() == 1 && images.required("bytes").integer() > 0
        )
        #expect(try status.required("journal").object().required("open").integer() == 0)
        let journal = try client.journal()
        try Data("garbage".utf8).write(to: URL(filePath: journal))
        let damaged = try await client.result("cache/status").required("journal").object()
        #expect(try damaged.required("error").string().contains(journal))
    }
}
