import Foundation
import Networking
import Testing

@Suite("The client", .timeLimit(.minutes(1)))
struct CurlHTTPClientTests {
    private func client(_ change: (inout HTTPLimits) -> Void = { _ in }) throws -> CurlHTTPClient {
        var configuration = CurlHTTPClient.Configuration()
        change(&configuration.limits)
        return try CurlHTTPClient(configuration: configuration)
    }

    private func error(
        _ request: HTTPRequest,
        _ change: (inout HTTPLimits) -> Void = { _ in }
    ) async throws -> HTTPClientError? {
        do throws(HTTPClientError) {
            _ = try await CurlHTTPClient(configuration: configured(change)).send(request)
            return nil
        } catch {
            return error
        }
    }

    private func configured(
        _ change: (inout HTTPLimits) -> Void
    ) -> CurlHTTPClient.Configuration {
        var configuration = CurlHTTPClient.Configuration()
        change(&configuration.limits)
        return configuration
    }

    @Test("method, headers and body arrive, and so does the answer")
    func exchange() async throws {
        let server = try LoopbackServer { $0.reply("201 Created", headers: ["X-A: b"], body: "ok") }
        let response = try await client().send(
            HTTPRequest(
                .post,
                server.url + "/a?b=c",
                headers: ["Content-Type": "application/json", "X-Empty": ""],
                body: Array("{}".utf8)
            )
        )
        #expect(response.status == 201)
        #expect(response.headers["x-a"] == "b")
        #expect(String(decoding: response.body, as: UTF8.self) == "ok")
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /a?b=c HTTP/1.1\r\n"))
        #expect(request.hasSuffix("\r\n\r\n{}"))
        #expect(request.contains("X-Empty:\r\n") && !request.contains("Expect"))
    }

    @Test("any status is an answer", arguments: [204, 304, 404, 409, 500, 503])
    func statuses(status: Int) async throws {
        let server = try LoopbackServer {
            $0.send("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(try await client().send(HTTPRequest(.get, server.url)).status == status)
    }

    @Test("fifty requests at once are all answered, each with its own answer")
    func many() async throws {
        let server = try LoopbackServer { exchange in
            exchange.reply("200 OK", body: String(exchange.request.split(separator: " ")[1]))
        }
        let client = try client()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let response = try await client.send(
                        HTTPRequest(.get, server.url + "/\(number)")
                    )
                    return response.body == Array("/\(number)".utf8)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test(
        "a URL that is none, or not http, is refused before anything is sent",
        arguments: [
            "", "salons", "/salons", "file:///etc/passwd", "ftp://127.0.0.1/", "http://",
            "http://a b/", "javascript:0", "http://127.0.0.1:99999/",
        ]
    )
    func urls(url: String) async throws {
        let error = try await error(HTTPRequest(.get, url))
        #expect(error?.reason == .invalidURL && error?.mayHaveBeenSent == false)
    }

    @Test(
        "a header that could break the request is refused",
        arguments: [
            ("A", "b\r\nC: d"), ("A", "b\nc"), ("A", "b\0"), ("A b", "c"), ("", "c"), ("A:", "b"),
        ]
    )
    func headers(name: String, value: String) async throws {
        let error = try await error(HTTPRequest(.get, "http://127.0.0.1:1", headers: [name: value]))
        #expect(error?.reason == .invalidHeader && error?.mayHaveBeenSent == false)
    }

    @Test("a refused connection is told, and that nothing was sent")
    func refused() async throws {
        let error = try await error(HTTPRequest(.post, "http://127.0.0.1:1/", body: [1]))
        #expect(error?.reason == .couldNotConnect && error?.mayHaveBeenSent == false)
    }

    @Test("a host without address is told, and that nothing was sent")
    func unresolved() async throws {
        let error = try await error(HTTPRequest(.post, "http://nobody.invalid/", body: [1]))
        #expect(error?.reason == .couldNotResolve && error?.mayHaveBeenSent == false)
    }

    @Test("plain text where TLS is expected is told, and that nothing was sent")
    func noTLS() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let url = server.url.replacing("http:", with: "https:")
        let error = try await error(HTTPRequest(.post, url, body: [1])) {
            $0.connectMilliseconds = 500
        }
        #expect(error?.mayHaveBeenSent == false)
        #expect(error?.reason == .tls || error?.reason == .timedOut(.connect))
    }

    @Test("cancelling while waiting for a first byte ends the connection")
    func cancel() async throws {
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        let (closed, close) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { exchange in
            arrive.yield()
            exchange.waitForClose()
            close.yield()
        }
        let client = try client()
        let url = server.url
        let task = Task { () -> HTTPClientError? in
            do throws(HTTPClientError) {
                _ = try await client.send(HTTPRequest(.get, url))
                return nil
            } catch {
                return error
            }
        }
        for await _ in arrived { break }
        task.cancel()
        let error = await task.value
        #expect(error?.reason == .cancelled && error?.mayHaveBeenSent == true)
        for await _ in closed { break }
    }

    @Test("closing the client ends what is under way")
    func closing() async throws {
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { exchange in
            arrive.yield()
            exchange.waitForClose()
        }
        let client = try client()
        let url = server.url
        async let result = Result { () async throws(HTTPClientError) in
            try await client.send(HTTPRequest(.get, url))
        }
        for await _ in arrived { break }
        client.close()
        let failure = await result
        #expect(throws: HTTPClientError.self) { try failure.get() }
        await #expect(throws: HTTPClientError(.closed)) {
            try await client.send(HTTPRequest(.get, url))
        }
    }
}

extension Result where Success: Sendable {
    init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
