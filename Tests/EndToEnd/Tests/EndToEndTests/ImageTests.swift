import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

@Suite("Images", .throttled, .timeLimit(.minutes(10)))
struct ImageTests {
    private func params(_ url: String, _ more: String = "") -> String {
        #"{"url":"\#(url)"\#(more)}"#
    }

    private func data(_ image: JSONObject) throws -> Data {
        try #require(Data(base64Encoded: image.required("data").string()))
    }

    /// The file of the only image in the cache.
    private func cachedImage(of client: Novablend) throws -> String {
        let folder = try AccountDirectory.path(in: client.directory.path + "/cache") + "/images"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return folder + "/" + (try #require(names.first { $0.hasSuffix(".snapshot") }))
    }

    @Test("an image is returned as base64 with its media type, and from then on from the cache")
    func loaded() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let feed = try await client.result("feed/list", #"{"limit":2}"#)
        let urls = try feed.required("items").array().map { item in
            try item.object().required("image").string()
        }
        let url = try #require(urls.first)
        let first = try await client.result("feed/image", params(url))
        #expect(try first.source() == "server")
        #expect(try first.required("mediaType").string() == "image/png")
        let bytes = try data(first)
        #expect(try bytes.count == first.required("size").integer())
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        _ = try await client.result("menu/list")
        backend.child.kill()
        let again = try await client.result("feed/image", params(url))
        #expect(try again.source() == "cache" && data(again) == bytes)
        let shared = try await client.result("menu/image", params(url))
        #expect(try shared.source() == "cache")
        let other = try #require(urls.last)
        #expect(try await client.failure("feed/image", params(other)).name == "connectivity")
        #expect(try await client.result("cache/validate").required("images").string() == "valid")
        #expect(try await client.result("cache/clear").text.contains(#""images""#))
        #expect(try await client.failure("feed/image", params(url)).code == -32_602)
    }

    @Test("serverFirst revalidates a cached image")
    func policies() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("feed/list")
        let url = backend.url + "/images/plum.png"
        let only = params(url, #","policy":"cacheOnly""#)
        #expect(try await client.failure("feed/image", only).name == "connectivity")
        let server = params(url, #","policy":"serverFirst""#)
        #expect(try await client.result("feed/image", server).source() == "server")
        #expect(try await client.result("feed/image", server).source() == "revalidated")
        #expect(try await client.result("feed/image", only).source() == "cache")
    }

    @Test("an image whose entity tag cannot be sent back is requested again, not revalidated")
    func invalidEntityTag() async throws {
        let server = try ImageServer { _ in .reply("200 OK\r\nETag: \"a\u{1}b\"", "GIF89a") }
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("feed/list")
        let image = params(server.url + "/a", #","policy":"serverFirst""#)
        for _ in 1...2 {
            #expect(try await client.result("feed/image", image).source() == "server")
        }
    }

    @Test("an image that cannot be read from the cache is requested again")
    func damaged() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let image = params(backend.url + "/images/honey.png")
        _ = try await client.result("menu/list")
        _ = try await client.result("menu/image", image)
        let file = URL(filePath: try cachedImage(of: client))
        try Data("?".utf8).write(to: file)
        #expect(try await client.result("menu/image", image).source() == "server")
        #expect(try await client.result("menu/image", image).source() == "cache")
        try Data("?".utf8).write(to: file)
        let found = try await client.result("cache/validate")
        #expect(try found.required("images").string() == "deletedUnreadable")
    }

    @Test("a cancelled request for an image returns only -32800, and caches and writes nothing")
    func cancelled() async throws {
        let server = try HangingServer(lateResponse: .reply("200 OK", "GIF89a")) {
            ImageServer.list(for: $0)
        }
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("feed/list")
        let file = client.directory.path + "/image.gif"
        let target = #","file":"\#(file)""#
        client.send(1_001, "feed/image", params(server.url + "/a", target))
        await server.waitForRequest()
        client.child.send(
            #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1001}}"# + "\n"
        )
        let response = try #require(await client.child.line())
        #expect(response.contains("-32800") && !response.contains("connectivity"))
        // The cancellation closes the connection; the server is still waiting.
        await server.waitForDisconnect()
        let found = try await client.result("cache/validate")
        #expect(try found.required("images").string() == "empty")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(
        "a response that is not an image, too large, or a 404 is invalid data",
        arguments: [
            ("200 OK", "<html>"), ("200 OK", ""), ("404 Not Found", "GIF89a"),
            ("200 OK", "GIF89a" + String(repeating: "x", count: 9 << 20)),
        ]
    )
    func invalid(status: String, body: String) async throws {
        let server = try ImageServer { _ in .reply(status, body) }
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("feed/list")
        let failure = try await client.failure("feed/image", params(server.url + "/a"))
        #expect(failure.name == "invalidData", "\(failure.message)")
        let found = try await client.result("cache/validate")
        #expect(try found.required("images").string() == "empty")
    }

    @Test(
        "an image of 512 KiB is returned as data, and one of 8 MiB is written to a file",
        arguments: [19, 23]
    )
    func largest(bits: Int) async throws {
        let size = 1 << bits
        let server = try ImageServer { _ in
            .reply("200 OK", "GIF89a" + String(repeating: "x", count: size - 6))
        }
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("feed/list")
        let file = client.directory.path + "/large.gif"
        let more = bits == 23 ? #","file":"\#(file)""# : ""
        let image = try await client.result("feed/image", params(server.url + "/a", more))
        #expect(try image.required("size").integer() == size)
        #expect(try image.required("mediaType").string() == "image/gif")
        let bytes = bits == 23 ? try Data(contentsOf: URL(filePath: file)) : try data(image)
        #expect(bytes.count == size)
    }

    @Test(
        "a URL that is not an absolute http or https URL is rejected",
        arguments: [
            "file:///etc/passwd", "ftp://x/a.png", "/a.png", "x", "data:image/png;base64,AA",
        ]
    )
    func schemes(url: String) async throws {
        let client = try Novablend(["--base-url", "http://127.0.0.1:1"])
        let failure = try await client.failure("feed/image", params(url))
        #expect(failure.code == -32_602 && failure.message.contains("url"))
    }

    @Test("the image is written to a new file, and replaces a file only with overwrite")
    func file() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("feed/list")
        let url = backend.url + "/images/honey.png"
        let file = client.directory.path + "/honey.png"
        let written = try await client.result("feed/image", params(url, #","file":"\#(file)""#))
        #expect(written["data"] == nil)
        #expect(try written.required("file").string() == file)
        let bytes = try data(await client.result("feed/image", params(url)))
        #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
        try Data("mine".utf8).write(to: URL(filePath: file))
        let failure = try await client.failure("feed/image", params(url, #","file":"\#(file)""#))
        #expect(failure.code == -32_602 && failure.message.contains("overwrite"))
        #expect(try Data(contentsOf: URL(filePath: file)) == Data("mine".utf8))
        let overwrite = params(url, #","file":"\#(file)","overwrite":true"#)
        _ = try await client.result("feed/image", overwrite)
        #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
        for path in ["honey.png", "/proc/none/a.png", client.directory.path] {
            let params = params(url, #","file":"\#(path)""#)
            #expect(try await client.failure("feed/image", params).code == -32_602)
        }
    }

    @Test(
        "with --read-only an image is returned as data, and neither a method nor a tool writes a file"
    )
    func readOnly() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--tools", "all", "--read-only"])
        let url = backend.url + "/images/honey.png"
        _ = try await client.result("feed/list")
        _ = try await client.result("feed/image", params(url))
        let file = client.directory.path + "/honey.png"
        let target = params(url, #","file":"\#(file)""#)
        #expect(try await client.failure("feed/image", target).name == "readOnly")
        let call = #"{"name":"menu_image","arguments":\#(target)}"#
        let handshake =
            #"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t"}}"#
        _ = try await client.result("initialize", handshake)
        #expect(try await client.result("tools/call", call).text.contains("readOnly"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("a tool returns the image as image content, and not in structuredContent")
    func shown() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--tools", "all"])
        let image = params(backend.url + "/images/plum.png")
        _ = try await client.result("feed/list")
        let plain = try await client.result("feed/image", image)
        let handshake =
            #"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t"}}"#
        _ = try await client.result("initialize", handshake)
        let call = #"{"name":"feed_image","arguments":\#(image)}"#
        let result = try await client.result("tools/call", call)
        let base64 = try plain.required("data").string()
        #expect(result.text.components(separatedBy: base64).count == 2)
        #expect(result.text.contains(#""type":"image","data":"\#(base64)","mimeType":"image/png""#))
        let rest = try result.required("structuredContent").object()
        #expect(try rest["data"] == nil && rest.required("mediaType").string() == "image/png")
    }

    @Test("an image that cannot be cached is returned with cacheError")
    func cacheFails() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("feed/list")
        let params = params(backend.url + "/images/teal.png")
        _ = try await client.result("feed/image", params)
        // A directory in place of the file makes the cache fail.
        let path = try cachedImage(of: client)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let image = try await client.result("feed/image", params)
        #expect(try data(image).starts(with: [0x89, 0x50]))
        #expect(try image.required("provenance").object()["cacheError"] != nil)
    }
}
