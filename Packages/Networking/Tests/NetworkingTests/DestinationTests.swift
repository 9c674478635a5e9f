import Networking
import SystemTestSupport
import Testing

@Suite("Requests to public addresses only", .timeLimit(.minutes(10)))
struct DestinationTests {
    private func request(_ url: String, exempt: String) -> HTTPRequest {
        var request = HTTPRequest(method: .get, url: url)
        request.allowedDestinations = .publicAddresses(orOrigin: exempt)
        return request
    }

    private let notAllowed = HTTPClientError(
        .destinationNotAllowed,
        detail: "it is not a public address"
    )

    @Test(
        "A private address is not connected to, in any notation, or by name",
        arguments: [
            "127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]",
        ]
    )
    func rejected(host: String) async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let request = request("http://\(host):\(server.port)/", exempt: "http://a.test")
        #expect(await CurlHTTPClient().failure(request) == notAllowed)
        #expect(server.accepted == 0)
    }

    @Test("The exempt origin may have any address, and uses pooled connections")
    func exempt() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        for path in ["/list", "/image?a=b", "/image"] {
            let request = request(server.url + path, exempt: server.url + "/list?limit=1")
            #expect(try await client.send(request).status == 200)
        }
        #expect(server.accepted == 1)
    }

    @Test(
        "A different scheme, host, or port, or an invalid exempt origin, is not exempt",
        arguments: [
            "https://127.0.0.1:%", "http://localhost:%", "http://127.0.0.1", "", "127.0.0.1",
        ]
    )
    func notExempt(origin: String) async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let exempt = origin.replacing("%", with: "\(server.port)")
        let error = await CurlHTTPClient().failure(request(server.url, exempt: exempt))
        #expect(error == notAllowed && server.accepted == 0)
    }

    @Test("A pooled connection to a private address is not used")
    func pooled() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        for _ in 1...3 { _ = try await client.send(HTTPRequest(method: .get, url: server.url)) }
        let request = request(server.url, exempt: "http://a.test")
        #expect(await client.failure(request) == notAllowed)
        #expect(server.requests.count == 3)
        // The restriction does not affect the next request.
        #expect(try await client.send(HTTPRequest(method: .get, url: server.url)).status == 200)
        #expect(server.accepted == 1)
    }

    @Test("A redirect from the exempt origin to a private address is not followed")
    func redirect() async throws {
        let target = try LoopbackServer { $0.reply("200 OK") }
        let url = target.url
        let server = try LoopbackServer { $0.reply("302 Found", headers: ["Location: \(url)"]) }
        let error = await CurlHTTPClient().failure(request(server.url, exempt: server.url))
        #expect(error?.reason == .destinationNotAllowed && error?.mayHaveBeenSent == true)
        #expect(server.requests.count == 1 && target.accepted == 0)
    }

    @Test("A redirect within the exempt origin is followed")
    func sameOrigin() async throws {
        let server = try LoopbackServer { exchange in
            exchange.path == "/moved"
                ? exchange.reply("302 Found", headers: ["Location: /here"])
                : exchange.reply("200 OK", body: exchange.path)
        }
        let request = request(server.url + "/moved", exempt: server.url)
        #expect(try await CurlHTTPClient().send(request).text == "/here")
    }

    @Test("A proxy is used only for the exempt origin")
    func proxy() async throws {
        let proxy = try LoopbackServer { $0.reply("200 OK", body: "proxied") }
        var configuration = CurlHTTPClient.Configuration()
        configuration.proxy = proxy.url
        let client = CurlHTTPClient(configuration: configuration)
        let exempt = "http://list.test/list"
        let image = request("http://list.test/image", exempt: exempt)
        #expect(try await client.send(image).text == "proxied")
        let error = await client.failure(request("http://93.184.216.34/", exempt: exempt))
        #expect(error?.reason == .destinationNotAllowed && error?.mayHaveBeenSent == false)
        #expect(error?.detail == "a proxy would hide whether it is a public address")
        #expect(proxy.requests.count == 1)
    }

    @Test("The proxy of the environment is not used", arguments: ["http", "https"])
    func environmentProxy(scheme: String) async throws {
        var configuration = CurlHTTPClient.Configuration()
        configuration.usesEnvironmentProxy = true
        let client = CurlHTTPClient(configuration: configuration)
        let error = await client.failure(
            request("\(scheme)://93.184.216.34/", exempt: "http://list.test")
        )
        #expect(error?.reason == .destinationNotAllowed && error?.mayHaveBeenSent == false)
        #expect(error?.detail == "a proxy would hide whether it is a public address")
    }
}
