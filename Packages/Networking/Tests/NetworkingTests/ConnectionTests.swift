import Foundation
import Networking
import NovaBlendTestEnvironment
import SystemTestSupport
import Testing

@Suite("Connections", .timeLimit(.minutes(10)))
struct ConnectionTests {
    @Test("A refused connection is an error, and nothing was sent")
    func refused() async throws {
        let request = HTTPRequest(method: .post, url: "http://127.0.0.1:1/", body: [1])
        let error = await CurlHTTPClient().failure(request)
        #expect(error?.reason == .couldNotConnect && error?.mayHaveBeenSent == false)
    }

    @Test("A host without an address is an error, and nothing was sent")
    func unresolved() async throws {
        let request = HTTPRequest(method: .post, url: "http://unknown.invalid/", body: [1])
        let error = await CurlHTTPClient().failure(request)
        #expect(error?.reason == .couldNotResolve && error?.mayHaveBeenSent == false)
    }

    @Test("The proxy of the environment is ignored unless it is enabled")
    func noProxy() async throws {
        #expect(ProcessInfo.processInfo.environment["http_proxy"] == "http://127.0.0.1:1")
        let server = try LoopbackServer { $0.reply("200 OK") }
        #expect(
            try await CurlHTTPClient().send(HTTPRequest(method: .get, url: server.url)).status
                == 200
        )
    }

    @Test("The configured proxy is used even for a host that the environment exempts")
    func proxy() async throws {
        let proxy = try LoopbackServer { $0.reply("200 OK", body: "proxied") }
        var configuration = CurlHTTPClient.Configuration()
        configuration.proxy = proxy.url
        let client = CurlHTTPClient(configuration: configuration)
        let response = try await client.send(
            HTTPRequest(method: .get, url: "http://proxied.test/a")
        )
        #expect(response.text == "proxied")
        #expect(proxy.requests.first?.hasPrefix("GET http://proxied.test/a HTTP/1.1\r\n") == true)
    }

    @Test("The proxy of the environment is used if it is enabled, except for exempt hosts")
    func environmentProxy() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        var configuration = CurlHTTPClient.Configuration()
        configuration.usesEnvironmentProxy = true
        let client = CurlHTTPClient(configuration: configuration)
        // Nothing listens at the proxy's port.
        let error = await client.failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .couldNotConnect && server.accepted == 0)
        let exempt = HTTPRequest(method: .get, url: "http://proxied.test:\(server.port)/")
        #expect(try await client.send(exempt).status == 200)
    }

    @Test("The configured proxy is used even if that of the environment is enabled, too")
    func configuredProxy() async throws {
        let proxy = try LoopbackServer { $0.reply("200 OK", body: "proxied") }
        var configuration = CurlHTTPClient.Configuration()
        configuration.usesEnvironmentProxy = true
        configuration.proxy = proxy.url
        let client = CurlHTTPClient(configuration: configuration)
        let response = try await client.send(
            HTTPRequest(method: .get, url: "http://proxied.test/a")
        )
        #expect(response.text == "proxied")
    }

    @Test(
        "An error of a proxy does not reveal its user name and password",
        arguments: [
            "http://user:secret@127.0.0.1:1", "http://user:secret@127.0.0.1:99999",
            "http://user:secret@proxy.invalid", "user:secret@127.0.0.1:99999",
            "ftp://user:secret@a",
            "http://user:se cret@127.0.0.1:1", "http://user:secret@", "http://user:secret@[::1",
        ]
    )
    func proxyPassword(proxy: String) async throws {
        var configuration = CurlHTTPClient.Configuration()
        configuration.proxy = proxy
        let client = CurlHTTPClient(configuration: configuration)
        for scheme in ["http", "https"] {
            let request = HTTPRequest(method: .get, url: "\(scheme)://a.test/")
            let error = try #require(await client.failure(request))
            #expect(!error.description.contains("cret") && !error.description.contains("user:"))
            // A proxy's URL that is not valid does not show that there is no connection.
            let isValid = ["http://user:secret@127.0.0.1:1", "http://user:secret@proxy.invalid"]
                .contains(proxy)
            #expect(error.isMissingConnectivity == isValid && !error.mayHaveBeenSent)
        }
    }

    @Test("A connection is reused for the next request")
    func reused() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        for _ in 0..<10 { _ = try await client.send(HTTPRequest(method: .get, url: server.url)) }
        #expect(server.requests.count == 10 && server.accepted == 1)
    }

    @Test(
        "A connection closes after its response if there are enough idle connections",
        arguments: [(2, 2), (1, 1), (0, 1), (-1, 1), (.max, 4)]
    )
    func idleLimit(limit: Int, open: Int) async throws {
        let servers = try (0..<4).map { _ in try LoopbackServer { $0.reply("200 OK") } }
        let client = CurlHTTPClient { $0.maximumIdleConnections = limit }
        for server in servers {
            _ = try await client.send(HTTPRequest(method: .get, url: server.url))
        }
        #expect(try await eventually { servers.map(\.open).reduce(0, +) == open })
    }

    @Test("A hanging name lookup delays no other request, and times out")
    func heldLookup() async throws {
        let (client, impatient) = (
            CurlHTTPClient(), CurlHTTPClient { $0.connectTimeout = .milliseconds(200) }
        )
        let held = HTTPRequest(method: .get, url: "http://held.test/")
        let cancelled = Task { await client.failure(held) }
        async let late = impatient.failure(held)
        for _ in 0..<2 { #expect(await onThread { held_lookup_wait() }) }
        cancelled.cancel()
        #expect(await cancelled.value == HTTPClientError(.cancelled))
        for client in [client, impatient] {
            let server = try LoopbackServer { $0.reply("200 OK") }
            #expect(try await client.send(HTTPRequest(method: .get, url: server.url)).status == 200)
        }
        let error = await late
        #expect(error?.reason == .timedOut(.connect) && error?.mayHaveBeenSent == false)
        // Only now do the lookups end.
        for _ in 0..<2 { held_lookup_release() }
    }
}
