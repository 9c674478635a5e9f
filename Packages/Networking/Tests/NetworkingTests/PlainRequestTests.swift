import Synchronization
import SystemTestSupport
import Testing

@testable import Networking

@Suite("Reusable handles")
struct PlainRequestTests {
    @Test("A handle is reused only after a request without options that the next would inherit")
    func plain() {
        let plain = HTTPRequest(
            method: .get,
            url: "http://a.test/",
            headers: ["A": "b"],
            totalTimeout: .zero
        )
        #expect(plain.isPlain)
        let changes: [(inout HTTPRequest) -> Void] = [
            { $0.method = .head }, { $0.method = .post }, { $0.body = [] },
            { $0.usesFreshConnection = true }, { $0.wantsCertificateExpiry = true },
            { $0.allowedDestinations = .publicAddresses(orOrigin: "http://a.test") },
            { $0.presentsClientCertificate = false },
        ]
        for change in changes {
            var request = plain
            change(&request)
            #expect(!request.isPlain)
        }
    }

    private func spareHandles(_ client: CurlHTTPClient) -> Int? {
        client.loop.multi.withLock { $0?.spare.count }
    }

    @Test("A handle is saved after a plain request on a pooled connection, and reused by the next")
    func saved() async throws {
        let server = try LoopbackServer { exchange in
            exchange.path == "/reset" ? exchange.reset() : exchange.reply("200 OK")
        }
        let client = CurlHTTPClient()
        let plain = HTTPRequest(method: .get, url: server.url)
        for (request, spare) in [
            (plain, 0), (plain, 1), (plain, 1), (HTTPRequest(method: .post, url: server.url), 1),
            (plain, 1),
            (HTTPRequest(method: .head, url: server.url), 1),
            (HTTPRequest(method: .get, url: server.url + "/reset"), 0),
            (plain, 0), (plain, 1),
        ] {
            _ = await client.result(of: request)
            #expect(spareHandles(client) == spare)
        }
    }

    @Test("No more handles are saved than idle connections", arguments: [0, 1, 2])
    func limit(maximum: Int) async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient { $0.maximumIdleConnections = maximum }
        for _ in 1...20 {
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...8 {
                    group.addTask {
                        _ = await client.result(of: HTTPRequest(method: .get, url: server.url))
                    }
                }
            }
            #expect(spareHandles(client).map { $0 <= maximum } == true)
        }
    }
}
