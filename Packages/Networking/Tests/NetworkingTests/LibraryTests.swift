import Foundation
import SystemTestSupport
import Testing

@testable import Networking

@Suite("libcurl", .timeLimit(.minutes(10)))
struct LibraryTests {
    private func failure(library: String) async -> HTTPClientError? {
        let client = CurlHTTPClient(configuration: .init(), library: library)
        return await client.failure(HTTPRequest(method: .get, url: "http://127.0.0.1:1"))
    }

    @Test("A missing libcurl is an error that names the package to install")
    func missing() async {
        let error = await failure(library: "libcurl-missing.so.4")
        #expect(error?.reason == .libraryMissing && error?.mayHaveBeenSent == false)
        let text = error?.description ?? ""
        #expect(text.contains("libcurl4") && text.contains("libcurl-missing.so.4"))
    }

    @Test("A library that lacks a function is rejected, and the right one can still be loaded")
    func incomplete() async throws {
        let error = await failure(library: "libm.so.6")
        #expect(error?.reason == .libraryMissing)
        #expect(error?.detail.contains("curl_") == true)
        let server = try LoopbackServer { $0.reply("200 OK") }
        #expect(
            try await CurlHTTPClient().send(HTTPRequest(method: .get, url: server.url)).status
                == 200
        )
    }

    @Test("The first request loads libcurl, and nothing before it")
    func late() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        #expect(!client.loop.isRunning)
        #expect(await client.failure(HTTPRequest(method: .get, url: "none"))?.reason == .invalidURL)
        _ = try await client.send(HTTPRequest(method: .get, url: server.url))
        #expect(client.loop.isRunning)
        client.close()
        #expect(!client.loop.isRunning)
    }

    @Test(
        "libcurl is not linked",
        .enabled(if: access("/usr/bin/readelf", X_OK) == 0, "needs the command readelf")
    )
    func unlinked() async throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let output = try await Command.run("/usr/bin/readelf", ["--dynamic", program])
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains("[libc.so.6]") && !text.contains("libcurl"))
    }
}
