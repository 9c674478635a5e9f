import Foundation
import JSON
import Testing

@Suite("Feed, movies, and menu", .throttled, .timeLimit(.minutes(10)))
struct ListedResourceTests {
    private func ids(_ list: JSONObject) throws -> [String] {
        try list.required("items").array().map { item in
            try item.object().required("id").string()
        }
    }

    @Test("feed, movies, and menu are displayed from the server, and offline from the cache")
    func offline() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let counts = ["feed/list": 7, "movies/list": 3, "menu/list": 4]
        for (method, count) in counts {
            let list = try await client.result(method)
            #expect(try list.count("items") == count && list.source() == "server", "\(method)")
            #expect(try await client.result(method).source() == "revalidated")
        }
        backend.child.kill()
        for (method, count) in counts {
            let list = try await client.result(method)
            #expect(try list.count("items") == count && list.source() == "cache", "\(method)")
        }
        let found = try await client.result("cache/validate")
        for name in ["feed", "movies", "menu"] as [StaticString] {
            #expect(try found.required(name).string() == "valid")
        }
        let cleared = try await client.result("cache/clear")
        #expect(cleared.text == #"{"cleared":["feed","menu","movies"]}"#)
        #expect(try await client.failure("feed/list").name == "connectivity")
        #expect(try await client.failure("menu/list").name == "connectivity")
        let none = try await client.result("movies/list")
        #expect(try none.count("items") == 0 && none.source() == "none")
    }

    @Test("an expired list is an error, and an unreadable one is deleted only for movies")
    func expiredAndDamaged() async throws {
        let backend = try await BackendProcess()
        let first = try Novablend(["--base-url", backend.url])
        let methods = ["feed/list", "movies/list", "menu/list"]
        for method in methods { _ = try await first.result(method) }
        backend.child.kill()
        func later(days: Int) throws -> Novablend {
            let faketime = FakeClock.ahead(by: "\(days)d")
            return try Novablend(
                ["--base-url", backend.url],
                in: first.directory,
                through: faketime
            )
        }
        let cacheOnly = #"{"policy":"cacheOnly"}"#
        let eight = try later(days: 8)
        #expect(try await eight.failure("feed/list", cacheOnly).name == "connectivity")
        #expect(try await eight.failure("movies/list", cacheOnly).name == "connectivity")
        #expect(try await eight.result("menu/list", cacheOnly).source() == "cache")
        let found = try await eight.result("cache/validate")
        #expect(try found.required("feed").string() == "deletedExpired")
        #expect(try found.required("movies").string() == "empty")
        #expect(try await later(days: 14).failure("menu/list", cacheOnly).name == "connectivity")
        for name in ["feed", "movies", "menu"] {
            let file = try first.cached("\(name).snapshot")
            try Data("?".utf8).write(to: URL(filePath: file))
            #expect(try await first.failure("\(name)/list").name == "cacheRetrieval")
            #expect(FileManager.default.fileExists(atPath: file) == (name != "movies"))
        }
    }

    @Test("pages of the feed follow each other, online and from the cache")
    func pages() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        func walk(_ source: String) async throws -> [String] {
            var (found, after) = ([String](), "")
            while true {
                let page = try await client.result("feed/list", #"{"limit":3\#(after)}"#)
                #expect(try page.source() == source)
                found += try ids(page)
                guard let next = try page["nextAfterId"]?.string() else { return found }
                after = #","afterId":"\#(next)""#
            }
        }
        let online = try await walk("server")
        #expect(online.count == 7 && Set(online).count == 7)
        backend.child.kill()
        #expect(try await walk("cache") == online)
        #expect(try await ids(client.result("feed/list")) == online)
        let unknown = #"{"limit":3,"afterId":"00000000-0000-4000-8000-000000000000"}"#
        #expect(try await client.failure("feed/list", unknown).name == "connectivity")
    }

    @Test("a cache with only the first page is not used for more than that page, except offline")
    func partialCache() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let first = try await client.result("feed/list", #"{"limit":3}"#)
        let again = try await client.result("feed/list", #"{"limit":3,"policy":"cacheFirst"}"#)
        #expect(try again.source() == "cache" && ids(again) == ids(first))
        let more = try await client.result("feed/list", #"{"limit":5,"policy":"cacheFirst"}"#)
        #expect(try more.source() == "server" && ids(more).count == 5)
        let whole = try await client.result("feed/list", #"{"policy":"cacheFirst"}"#)
        #expect(try whole.source() == "server" && ids(whole).count == 7)
        let cached = try await client.result("feed/list", #"{"policy":"cacheFirst"}"#)
        #expect(try cached.source() == "cache" && ids(cached).count == 7)
        _ = try await client.result("feed/list", #"{"limit":3}"#)
        backend.child.kill()
        let offline = try await client.result("feed/list", #"{"limit":5,"policy":"cacheFirst"}"#)
        #expect(try offline.source() == "cache" && ids(offline) == ids(first))
        // The rest can be requested when the server is reachable again.
        #expect(offline["nextAfterId"] != nil)
    }

    @Test("the feed of a server without pages is divided into pages")
    func pagelessServer() async throws {
        let items = (1...3).map {
            #"{"id":"00000000-0000-4000-8000-00000000000\#($0)","image":"https://a.url/\#($0)"}"#
        }
        let body = #"{"items":[\#(items.joined(separator: ","))]}"#
        let server = try ScriptedServer { _ in .reply("200 OK", body) }
        let client = try Novablend(["--feed-url", server.url + "/any?key=1"])
        let first = try await client.result("feed/list", #"{"limit":2}"#)
        let next = try first.required("nextAfterId").string()
        let second = try await client.result("feed/list", #"{"limit":2,"afterId":"\#(next)"}"#)
        #expect(try ids(first).count == 2 && ids(second).count == 1)
        #expect(second["nextAfterId"] == nil)
    }

    @Test("menu and movies accept query, limit, cursor, and fields")
    func localPages() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let found = try await client.result("menu/list", #"{"query":"CHEESE","fields":["name"]}"#)
        #expect(try found.count("items") == 2 && found.required("total").integer() == 2)
        #expect(!found.text.contains("description"))
        let first = try await client.result("movies/list", #"{"limit":2}"#)
        let cursor = try first.required("nextCursor").string()
        let second = try await client.result("movies/list", #"{"limit":2,"cursor":"\#(cursor)"}"#)
        #expect(try ids(first) + ids(second) == ["1", "2", "3"] && second["nextCursor"] == nil)
    }

    @Test(
        "an invalid parameter is an error",
        arguments: [
            ("feed/list", #"{"limit":0}"#), ("feed/list", #"{"afterId":"x"}"#),
            ("feed/list", #"{"query":"x"}"#), ("menu/list", #"{"cursor":"-1"}"#),
            ("movies/list", #"{"cursor":"99"}"#), ("menu/list", #"{"fields":["x"]}"#),
            ("movies/list", #"{"policy":"x"}"#), ("menu/list", #"{"afterId":"x"}"#),
        ]
    )
    func invalidParameter(method: String, params: String) async throws {
        let server = try ScriptedServer { _ in .reply("200 OK", #"{"items":[]}"#) }
        let client = try Novablend(["--base-url", server.url])
        #expect(try await client.failure(method, params).code == -32_602)
    }

    @Test("a list whose URL is missing is not configured, and the other lists work")
    func alone() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--movies-url", backend.url + "/movies"])
        #expect(try await client.result("movies/list").count("items") == 3)
        for method in ["salons/list", "feed/list", "menu/list"] {
            #expect(try await client.failure(method).name == "notConfigured", "\(method)")
        }
        let image = #"{"url":"\#(backend.url)/images/teal.png"}"#
        #expect(try await client.failure("feed/image", image).name == "notConfigured")
        let child = try ChildProcess(Binaries.novablend, ["serve", "--drinks-url", "http://x"])
        #expect(await child.exitCode() == 64)
    }

    @Test("a payload that breaks the contract is an error that names the path")
    func brokenContract() async throws {
        let server = try ScriptedServer { connection in
            let isFeed = connection.request.contains("/feed")
            return .reply("200 OK", isFeed ? #"{"items":[{"id":"x"}]}"# : "[]")
        }
        let client = try Novablend(["--base-url", server.url])
        let failure = try await client.failure("feed/list")
        #expect(failure.name == "invalidData" && failure.message.contains("items[0].id"))
        #expect(try await client.failure("menu/list").name == "invalidData")
    }

    @Test("feed, movies, and menu are available as MCP tools")
    func tools() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--tools", "all"])
        let handshake =
            #"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t"}}"#
        _ = try await client.result("initialize", handshake)
        let tools = try await client.result("tools/list").text
        for name in ["feed_list", "feed_image", "movies_list", "menu_list", "menu_image"] {
            #expect(tools.contains(#""name":"\#(name)""#), "\(name)")
        }
        let call = #"{"name":"menu_list","arguments":{"query":"beet"}}"#
        let result = try await client.result("tools/call", call)
        let items = try result.required("structuredContent").object()
        #expect(try items.count("items") == 1)
    }
}
