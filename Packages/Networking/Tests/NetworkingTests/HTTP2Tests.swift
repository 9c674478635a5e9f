import Foundation
import Networking
import SystemTestSupport
import Testing

@Suite(
    "HTTP/2",
    .enabled(if: OpenSSL.isInstalled, "needs the command openssl"),
    .timeLimit(.minutes(10))
)
struct HTTP2Tests {
    private func serve(
        _ reply: @escaping @Sendable (Int) -> HTTP2Server.Reply,
        body: (HTTP2Server, CurlHTTPClient, HTTPRequest) async throws -> Void
    ) async throws {
        let authority = try await Authority()
        try await authority.issue()
        let server = try await HTTP2Server(authority, reply: reply)
        var configuration = CurlHTTPClient.Configuration()
        configuration.certificateFile = authority.file
        let client = CurlHTTPClient(configuration: configuration)
        try await body(server, client, HTTPRequest(method: .get, url: server.url + "/"))
        client.close()
        await server.end()
    }

    @Test("HTTP/2 is used if the server supports it, with all requests on one connection")
    func used() async throws {
        // The server accepts only one connection, and only HTTP/2.
        try await serve {
            .ok("response \($0)")
        } body: { server, client, request async throws in
            for number in 1...5 {
                #expect(try await client.send(request).text == "response \(number)")
            }
        }
    }

    @Test("Cancelling one request does not affect the others of the connection")
    func cancel() async throws {
        try await serve {
            $0 == 2 ? .none : .ok("\($0)")
        } body: { server, client, request async throws in
            #expect(try await client.send(request).text == "1")
            let cancelled = Task { await client.failure(request) }
            await server.wait(for: 2, .headers)
            #expect(try await client.send(request).text == "3")
            cancelled.cancel()
            #expect(await cancelled.value == HTTPClientError(.cancelled, mayHaveBeenSent: true))
            await server.wait(for: 1, .reset)
            #expect(try await client.send(request).text == "4")
        }
    }

    @Test("A stream that the server resets is a lost connection")
    func reset() async throws {
        try await serve { _ in
            .reset
        } body: { server, client, request async throws in
            let error = await client.failure(request)
            #expect(error?.reason == .connectionLost && error?.mayHaveBeenSent == true)
        }
    }

    @Test("A POST does not use HTTP/2, because libcurl would resend a refused stream")
    func post() async throws {
        let authority = try await Authority()
        try await authority.issue()
        let server = try await TLSServer(authority, options: "-alpn h2,http/1.1")
        var configuration = CurlHTTPClient.Configuration()
        configuration.certificateFile = authority.file
        let client = CurlHTTPClient(configuration: configuration)
        async let response = client.send(
            HTTPRequest(method: .post, url: server.url, body: Array("!".utf8))
        )
        let request = try await onThread {
            var text = ""
            while !text.contains("\r\n\r\n!") {
                let more = server.output.availableData
                guard !more.isEmpty else { break }
                text += String(decoding: more, as: UTF8.self)
            }
            let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            try server.input.write(contentsOf: Data(ok.utf8))
            return text
        }
        #expect(request.contains("POST / HTTP/1.1\r\n"))
        #expect(try await response.text == "ok")
    }
}
