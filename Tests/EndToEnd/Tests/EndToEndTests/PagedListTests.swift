import Foundation
import JSON
import Synchronization
import Testing

/// Servers that send a list in several pages, which are linked (RFC 8288).
@Suite("Lists in several pages", .throttled, .timeLimit(.minutes(10)))
struct PagedListTests {
    private let slot = Slots().take()

    /// A page of movies with a link to `next`.
    private func page(_ ids: String, next: String? = nil) -> ScriptedServer.Response {
        let items = ids.map { #"{"id":"\#($0)","title":"t"}"# }.joined(separator: ",")
        let link = next.map { "\r\nLink: <\($0)>; rel=\"next\"" } ?? ""
        return .reply("200 OK" + link, #"{"items":[\#(items)]}"#)
    }

    private func movies(_ list: JSONObject) throws -> String {
        try list.required("items").array().map { try $0.object().required("id").string() }.joined()
    }

    @Test("every page is loaded, and all of them are cached as one list")
    func complete() async throws {
        let server = try ScriptedServer { connection in
            switch connection.request.split(separator: " ")[1] {
            case "/movies": page("ab", next: "/movies?cursor=2")
            case "/movies?cursor=2": page("bc", next: "?cursor=3")
            default: page("d")
            }
        }
        let client = try Novablend(["--movies-url", server.url + "/movies"])
        for parameters in ["{}", #"{"policy":"cacheOnly"}"#] {
            #expect(try movies(try await client.result("movies/list", parameters)) == "abcd")
        }
    }

    @Test("a list of several pages is downloaded again; a list of one page is revalidated")
    func validators() async throws {
        for pages in [1, 2] {
            let conditions = Mutex<[Bool]>([])
            let server = try ScriptedServer { connection in
                let isConditional = connection.request.contains("If-None-Match")
                conditions.withLock { $0.append(isConditional) }
                if isConditional { return .reply("304 Not Modified", "") }
                let link =
                    connection.request.hasPrefix("GET /2") || pages == 1
                    ? "" : "Link: </2>; rel=next\r\n"
                return .reply("200 OK\r\n\(link)ETag: \"1\"", #"{"items":[]}"#)
            }
            let client = try Novablend(["--movies-url", server.url + "/1"])
            _ = try await client.result("movies/list")
            let source = try await client.result("movies/list").source()
            #expect(source == (pages == 1 ? "revalidated" : "server"))
            let seen = conditions.withLock(\.self)
            #expect(seen == (pages == 1 ? [false, true] : [false, false, false, false]))
        }
    }

    @Test(
        "if a page fails, the cached list is used as for any failure, and no partial list is cached",
        arguments: ["500 Error", "hang up"]
    )
    func failedPage(fault: String) async throws {
        let isBroken = Mutex(false)
        let server = try ScriptedServer { connection in
            let isBroken = isBroken.withLock(\.self)
            if connection.request.hasPrefix("GET /2") {
                if isBroken { return fault == "hang up" ? .hangUp : .reply(fault, "") }
                return page("b")
            }
            return page(isBroken ? "x" : "a", next: "/2")
        }
        let client = try Novablend(["--movies-url", server.url + "/1"])
        #expect(try movies(try await client.result("movies/list")) == "ab")
        isBroken.withLock { $0 = true }
        for parameters in ["{}", #"{"policy":"cacheOnly"}"#] {
            let list = try await client.result("movies/list", parameters)
            #expect(try list.source() == "cache" && movies(list) == "ab")
        }
    }

    @Test("a page of a different origin is an error, and gets neither a request nor the token")
    func foreignOrigin() async throws {
        let requests = Mutex(0)
        let other = try ScriptedServer { _ in
            requests.withLock { $0 += 1 }
            return .reply("200 OK", #"{"salons":[]}"#)
        }
        let authorized = Mutex(false)
        let next = other.url + "/2"
        let server = try ScriptedServer { connection in
            authorized.withLock { $0 = connection.request.contains("Bearer secret") }
            return .reply("200 OK\r\nLink: <\(next)>; rel=next", #"{"salons":[]}"#)
        }
        let client = try CommandLineClient(["--salons-url", server.url + "/1"])
        let outcome = try await client.run("salons", environment: ["NOVABLEND_TOKEN": "secret"])
        #expect(outcome.code == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains("different origin, \(other.url)"), "\(outcome.errors)")
        let (count, wasAuthorized) = (requests.withLock(\.self), authorized.withLock(\.self))
        #expect(count == 0 && wasAuthorized)
    }

    @Test("a loop of pages is an error")
    func loop() async throws {
        let server = try ScriptedServer { connection in
            page("a", next: connection.request.hasPrefix("GET /1") ? "/2" : "/1")
        }
        let client = try Novablend(["--movies-url", server.url + "/1"])
        let failure = try await client.failure("movies/list")
        #expect(failure.code == 1_002 && failure.message.contains("form a loop"))
    }

    @Test("--max-response applies to all pages together")
    func sizeLimit() async throws {
        let server = try ScriptedServer { connection in
            let number = connection.request.split(separator: " ")[1].dropFirst().first
            return number == "3" ? page("c") : page("a", next: number == "1" ? "/2" : "/3")
        }
        let url = server.url + "/1"
        let bytes = 3 * #"{"items":[{"id":"a","title":"t"}]}"#.utf8.count
        let fitting = try Novablend(["--movies-url", url, "--max-response", "\(bytes)"])
        #expect(try movies(try await fitting.result("movies/list")) == "ac")
        let small = try Novablend(["--movies-url", url, "--max-response", "\(bytes - 1)"])
        let failure = try await small.failure("movies/list")
        #expect(failure.code == 1_002 && failure.message.contains("--max-response BYTES"))
    }

    @Test("a list that is cancelled between two pages is not cached")
    func cancelled() async throws {
        let gate = Gate()
        let server = try ScriptedServer { connection in
            if connection.request.hasPrefix("GET /2") { gate.wait() }
            return page("a", next: connection.request.hasPrefix("GET /1") ? "/2" : nil)
        }
        let client = try Novablend(["--movies-url", server.url + "/1"])
        client.send(7, "movies/list", "{}")
        await gate.waitForArrival()
        client.child.send(
            #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}"# + "\n"
        )
        #expect(await client.child.line()?.contains("-32800") == true)
        gate.open()
        let cached = try await client.call("movies/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached["result"] == nil || cached.text.contains(#""items":[]"#), "\(cached.text)")
    }

    @Test(
        "a booking between two pages is not lost from the cache, and later calls get a newer list"
    )
    func changeBetweenPages() async throws {
        let gate = Gate()
        let booked = #"{"id":"1","version":1,\#(slot.members)}"#
        let isBooked = Mutex(false)
        let withheld = Mutex(true)
        let server = try ScriptedServer { connection in
            let request = connection.request
            if request.hasPrefix("POST") {
                isBooked.withLock { $0 = true }
                return .reply("201 Created", booked)
            }
            guard request.hasPrefix("GET /appointments") else {
                return .reply("404 Not Found", "")
            }
            let list = isBooked.withLock(\.self) ? booked : ""
            guard request.contains("cursor=2") else {
                let link = "\r\nLink: <?cursor=2>; rel=next"
                return .reply("200 OK" + link, #"{"appointments":[\#(list)]}"#)
            }
            let isFirst = withheld.withLock { withheld in
                defer { withheld = false }
                return withheld
            }
            if isFirst { gate.wait() }
            return .reply("200 OK", #"{"appointments":[]}"#)
        }
        let client = try Novablend(["--base-url", server.url])
        client.send(1, "appointments/list", "{}")
        await gate.waitForArrival()
        client.send(2, "appointments/book", "{\(slot.members)}")
        #expect(await client.child.line()?.contains(#""id":2,"result""#) == true)
        client.send(3, "appointments/list", "{}")
        let later = try #require(await client.child.line())
        #expect(later.contains(#""id":3,"result""#) && later.contains(slot.time), "\(later)")
        gate.open()
        let earlier = try #require(await client.child.line())
        #expect(earlier.contains(#""id":1,"result""#) && earlier.contains(#""warning""#))
        #expect(!earlier.contains(slot.time))
        let cached = try await client.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains(slot.time))
    }

    @Test("a call for a page gets that page, unless the server's limit is lower")
    func explicitPage() async throws {
        let requests = Mutex<[String]>([])
        let uuid = "00000000-0000-4000-8000-00000000000"
        let server = try ScriptedServer { connection in
            let target = connection.request.split(separator: " ")[1]
            requests.withLock { $0.append(String(target)) }
            let isFirst = !target.contains("cursor")
            let items = (isFirst ? [1, 2] : [3, 4]).map {
                #"{"id":"\#(uuid)\#($0)","image":"http://a.test/"}"#
            }
            let link = isFirst ? "\r\nLink: <\(target)&cursor=2>; rel=next" : ""
            return .reply("200 OK" + link, #"{"items":[\#(items.joined(separator: ","))]}"#)
        }
        let client = try Novablend(["--feed-url", server.url + "/feed"])
        for (limit, count) in [(2, 2), (3, 3), (5, 4)] {
            let list = try await client.result("feed/list", #"{"limit":\#(limit)}"#)
            #expect(try list.count("items") == count)
            #expect((list["nextAfterId"] == nil) == (limit == 5))
        }
        let seen = requests.withLock(\.self)
        #expect(
            seen == [
                "/feed?limit=2", "/feed?limit=3", "/feed?limit=3&cursor=2", "/feed?limit=5",
                "/feed?limit=5&cursor=2",
            ]
        )
    }
}
