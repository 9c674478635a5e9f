import Foundation
import Networking
import Testing

@Suite("A server that misbehaves", .timeLimit(.minutes(1)))
struct MisbehavingServerTests {
    private func error(
        _ url: String,
        _ method: HTTPMethod = .get,
        _ change: (inout HTTPLimits) -> Void = { _ in }
    ) async throws -> HTTPClientError? {
        var configuration = CurlHTTPClient.Configuration()
        change(&configuration.limits)
        let client = try CurlHTTPClient(configuration: configuration)
        do throws(HTTPClientError) {
            _ = try await client.send(HTTPRequest(method, url, body: method == .post ? [1] : nil))
            return nil
        } catch {
            return error
        }
    }

    @Test("one that never answers is given up, and the request may have arrived")
    func hangs() async throws {
        let server = try LoopbackServer { $0.waitForClose() }
        let error = try await error(server.url, .post) { $0.totalMilliseconds = 200 }
        #expect(error?.reason == .timedOut(.total) && error?.mayHaveBeenSent == true)
    }

    @Test("one that stops in the middle of a body is given up")
    func stalls() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            exchange.waitForClose()
        }
        let error = try await error(server.url) { $0.stallSeconds = 1 }
        #expect(error?.reason == .timedOut(.stall))
    }

    @Test("endless chunks are cut at the limit and nothing of them is delivered")
    func endlessChunks() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "1000\r\n" + String(repeating: "x", count: 0x1000) + "\r\n"
            while exchange.send(chunk) {}
        }
        let error = try await error(server.url) { $0.maximumBodyBytes = 100_000 }
        #expect(error?.reason == .bodyTooLarge(limit: 100_000))
    }

    @Test("a request may bound its answer below the client's limit, and never above it")
    func ownLimit() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789")
        }
        for (own, overall, limit) in [(9, 100, 9), (100, 8, 8), (10, 10, nil)] as [(Int, Int, Int?)]
        {
            var configuration = CurlHTTPClient.Configuration()
            configuration.limits.maximumBodyBytes = overall
            let client = try CurlHTTPClient(configuration: configuration)
            var request = HTTPRequest(.get, server.url)
            request.maximumResponseBytes = own
            let sent = request
            let result = await Result { () async throws(HTTPClientError) in
                try await client.send(sent)
            }
            switch result {
            case .success(let response): #expect(limit == nil && response.body.count == 10)
            case .failure(let error):
                #expect(limit.map { .bodyTooLarge(limit: $0) } == error.reason)
            }
        }
    }

    @Test("a small body that unpacks beyond the limit is cut")
    func bomb() async throws {
        // 1 MiB of zeros, deflated by `gzip -9`, in base64.
        let packed = try #require(Data(base64Encoded: GzipBomb.base64))
        let server = try LoopbackServer { exchange in
            exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
            )
            exchange.send([UInt8](packed))
        }
        let error = try await error(server.url) { $0.maximumBodyBytes = 100_000 }
        #expect(error?.reason == .bodyTooLarge(limit: 100_000))
    }

    @Test("endless headers are cut at the limit")
    func endlessHeaders() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\n")
            while exchange.send("X-Long: " + String(repeating: "x", count: 1_000) + "\r\n") {}
        }
        let error = try await error(server.url) { $0.maximumHeaderBytes = 10_000 }
        #expect(error?.reason == .headersTooLarge(limit: 10_000))
    }

    @Test("a body shorter than promised is a lost connection")
    func short() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            shutdown(exchange.descriptor, Int32(SHUT_RDWR))
        }
        #expect(try await error(server.url)?.reason == .connectionLost)
    }

    @Test("a reset in place of an answer is a lost connection, and a POST is not sent again")
    func reset() async throws {
        let server = try LoopbackServer { exchange in
            exchange.reset()
            close(exchange.descriptor)
        }
        let error = try await error(server.url, .post)
        #expect(error?.reason == .connectionLost && error?.mayHaveBeenSent == true)
        #expect(server.requests.count == 1)
    }

    @Test("what is no HTTP is refused", arguments: ["garbage\r\n\r\n", "HTTP/9.9 abc\r\n\r\n"])
    func garbage(text: String) async throws {
        let server = try LoopbackServer { exchange in
            exchange.send(text)
            shutdown(exchange.descriptor, Int32(SHUT_RDWR))
        }
        #expect(try await error(server.url)?.reason == .malformedResponse)
    }

    @Test("a redirect loop ends at the limit")
    func redirectLoop() async throws {
        let server = try LoopbackServer { $0.reply("302 Found", headers: ["Location: /again"]) }
        #expect(try await error(server.url)?.reason == .tooManyRedirects(limit: 5))
        #expect(server.requests.count == 6)
    }

    @Test("a redirect to another scheme is refused")
    func redirectToFile() async throws {
        let server = try LoopbackServer {
            $0.reply("302 Found", headers: ["Location: file:///etc/passwd"])
        }
        #expect(try await error(server.url)?.reason == .redirectRefused)
    }

    @Test("a redirect to another origin loses the credentials, one within keeps them")
    func credentials() async throws {
        let other = try LoopbackServer { $0.reply("200 OK") }
        let target = other.url
        let server = try LoopbackServer { exchange in
            let isFirst = exchange.request.hasPrefix("GET / ")
            let location = isFirst ? "/same" : target + "/other"
            exchange.reply("302 Found", headers: ["Location: \(location)"])
        }
        let response = try await CurlHTTPClient().send(
            HTTPRequest(.get, server.url, headers: ["Authorization": "secret", "X-Kept": "1"])
        )
        #expect(response.status == 200 && response.url == target + "/other")
        #expect(server.requests.allSatisfy { $0.contains("Authorization: secret") })
        let seen = try #require(other.requests.first)
        #expect(!seen.contains("secret") && seen.contains("X-Kept: 1"))
    }

    @Test(
        "a POST is never repeated by a redirect: the redirect is the answer",
        arguments: [
            301, 302, 303, 307, 308,
        ]
    )
    func postRedirect(status: Int) async throws {
        let server = try LoopbackServer { exchange in
            exchange.reply("\(status) Elsewhere", headers: ["Location: /again"])
        }
        let request = HTTPRequest(.post, server.url, body: [1])
        #expect(try await CurlHTTPClient().send(request).status == status)
        #expect(server.requests.count == 1)
    }
}
