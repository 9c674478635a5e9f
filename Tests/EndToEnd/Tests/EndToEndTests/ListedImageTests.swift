import JSON
import Synchronization
import Testing

@Suite("Images must be listed", .throttled, .timeLimit(.minutes(10)))
struct ListedImageTests {
    private func params(_ url: String) -> String { #"{"url":"\#(url)"}"# }

    @Test(
        "a URL that the cached list does not name is rejected, and nothing is requested from it",
        arguments: [[], ["--read-only"]]
    )
    func unlisted(arguments: [String]) async throws {
        let backend = try await BackendProcess()
        let requests = Mutex(0)
        let victim = try ScriptedServer { _ in
            requests.withLock { $0 += 1 }
            return .reply("200 OK", "GIF89a")
        }
        let client = try Novablend(["--base-url", backend.url] + arguments)
        _ = try await client.result("feed/list")
        for method in ["feed/image", "menu/image"] {
            let failure = try await client.failure(method, params(victim.url + "/a.gif"))
            #expect(failure.code == -32_602)
            #expect(try failure.data?.required("parameter").string() == "url")
            #expect(failure.message.contains(method.replacing("image", with: "list")))
        }
        #expect(requests.withLock(\.self) == 0)
    }

    @Test("feed/image accepts images of the cached feed, and menu/image those of the cached menu")
    func ownList() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let (ink, honey) = (backend.url + "/images/ink.png", backend.url + "/images/honey.png")
        #expect(try await client.failure("feed/image", params(ink)).code == -32_602)
        _ = try await client.result("feed/list")
        _ = try await client.result("feed/image", params(ink))
        #expect(try await client.failure("menu/image", params(honey)).code == -32_602)
        _ = try await client.result("menu/list")
        _ = try await client.result("menu/image", params(honey))
        #expect(try await client.failure("menu/image", params(ink)).code == -32_602)
    }

    @Test("a cached image is returned only as long as the cached list contains it")
    func delisted() async throws {
        let isListed = Mutex(true)
        let server = try ImageServer {
            isListed.withLock(\.self) ? [$0 + "/a"] : []
        } _: { _ in
            .reply("200 OK", "GIF89a")
        }
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("feed/list")
        let image = params(server.url + "/a")
        #expect(try await client.result("feed/image", image).source() == "server")
        #expect(try await client.result("feed/image", image).source() == "cache")
        isListed.withLock { $0 = false }
        #expect(try await client.result("feed/image", image).source() == "cache")
        _ = try await client.result("feed/list")
        #expect(try await client.failure("feed/image", image).code == -32_602)
    }

    @Test("a listed image at a private address of a different origin is not requested")
    func privateAddress() async throws {
        let requests = Mutex(0)
        let victim = try ScriptedServer { _ in
            requests.withLock { $0 += 1 }
            return .reply("200 OK", "GIF89a")
        }
        let url = victim.url + "/a.gif"
        let server = try ImageServer { [url] in
            [url, $0 + "/b"]
        } _: { _ in
            .reply("200 OK", "GIF89a")
        }
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("feed/list")
        _ = try await client.failure("feed/image", params(url))
        #expect(requests.withLock(\.self) == 0)
        _ = try await client.result("feed/image", params(server.url + "/b"))
    }
}
