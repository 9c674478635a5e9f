import Domain
import Foundation
import Networking
import Synchronization
import Testing

@testable import NovaBlendAccounts

/// Controls a token source: each fetch waits until the test provides its result.
private final class Tokens: Sendable {
    private let fetches = AsyncStream.makeStream(of: Void.self)
    private let results = AsyncStream.makeStream(of: Result<BearerToken, CredentialError>.self)
    private let count = Mutex(0)

    var runs: Int { count.withLock(\.self) }

    func source() -> TokenSource {
        TokenSource { () async throws(CredentialError) in
            self.count.withLock { $0 += 1 }
            self.fetches.continuation.yield()
            for await result in self.results.stream { return try result.get() }
            throw CredentialError("ended", advice: "")
        }
    }

    /// Waits until the next fetch has started.
    func waitForFetch() async { for await _ in fetches.stream { return } }

    func provide(_ text: String) {
        guard let token = BearerToken(firstLineOf: text) else { return }
        results.continuation.yield(.success(token))
    }

    /// Lets all further fetches fail, so that none waits for ever.
    func end() { results.continuation.finish() }

    func fail() { results.continuation.yield(.failure(CredentialError("failed", advice: ""))) }
}

@Suite("The source of a token", .timeLimit(.minutes(10)))
struct TokenSourceTests {
    private let tokens = Tokens()

    private func token(_ text: String) throws -> BearerToken {
        try #require(BearerToken(firstLineOf: text))
    }

    @Test("fetches once for concurrent callers, and stores the token")
    func once() async throws {
        let source = tokens.source()
        let first = Task { try await source.token()?.secret }
        await tokens.waitForFetch()
        let others = (0..<8).map { _ in Task { try await source.token()?.secret } }
        tokens.provide("a")
        #expect(try await first.value == "a")
        for other in others { #expect(try await other.value == "a") }
        #expect(try await source.token()?.secret == "a")
        #expect(tokens.runs == 1)
    }

    @Test("fetches once for all callers whose token was rejected, even for a late one")
    func replaced() async throws {
        let source = tokens.source()
        tokens.provide("a")
        let old = try #require(try await source.token())
        await tokens.waitForFetch()
        let first = Task { try await source.replacement(for: old)?.secret }
        await tokens.waitForFetch()
        let second = Task { try await source.replacement(for: old)?.secret }
        // A new caller does not get the rejected token either.
        let third = Task { try await source.token()?.secret }
        tokens.provide("b")
        for task in [first, second, third] { #expect(try await task.value == "b") }
        #expect(try await source.replacement(for: old)?.secret == "b")
        #expect(tokens.runs == 2)
    }

    @Test("has no replacement if it gets the same token again")
    func same() async throws {
        let source = tokens.source()
        tokens.provide("a")
        let old = try #require(try await source.token())
        tokens.provide("a")
        #expect(try await source.replacement(for: old) == nil)
    }

    @Test("that fails throws its error, and the next call fetches again")
    func failed() async throws {
        let source = tokens.source()
        let first = Task { try await source.token() }
        await tokens.waitForFetch()
        tokens.fail()
        await #expect(throws: CredentialError.self) { try await first.value }
        tokens.provide("a")
        #expect(try await source.token()?.secret == "a")
    }

    @Test("returns at once to a cancelled caller, and continues for the others")
    func cancelled() async throws {
        let source = tokens.source()
        let cancelled = Task { try await source.token()?.secret }
        await tokens.waitForFetch()
        let other = Task { try await source.token()?.secret }
        cancelled.cancel()
        #expect(try await cancelled.value == nil)
        tokens.provide("a")
        #expect(try await other.value == "a")
        #expect(tokens.runs == 1)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await tokens.source().token()?.secret
        }
        #expect(try await late.value == nil)
        tokens.end()
    }
}

@Suite("A client with a token")
struct TokenSendingTests {
    /// Responds with these statuses, one after the other, then with 200. Records the requests.
    private final class Server: HTTPClient {
        private let statuses: Mutex<[Int]>
        let requests = Mutex<[HTTPRequest]>([])
        let redirect: String?

        init(_ statuses: Int..., redirect: String? = nil) {
            self.statuses = Mutex(statuses)
            self.redirect = redirect
        }

        func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
            requests.withLock { $0.append(request) }
            let status = statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
            return HTTPResponse(
                status: status,
                headers: [:],
                body: [],
                url: redirect ?? request.url
            )
        }

        var tokens: [String?] { requests.withLock { $0.map { $0.headers["Authorization"] } } }
    }

    private func send(
        _ url: String,
        to server: Server,
        origins: [String] = ["https://a.example"],
        method: HTTPMethod = .post,
        isProven: Bool = true
    ) async throws {
        let next = Atomic(0)
        let tokens = TokenSource { () async throws(CredentialError) in
            let number = next.add(1, ordering: .relaxed).newValue
            guard let token = BearerToken(firstLineOf: "t\(number)") else {
                throw .malformed("test")
            }
            return token
        }
        let client = TrustedOriginHTTPClient(
            server,
            tokens: tokens,
            trusts: { [origins = origins.compactMap(Origin.init)] in origins.contains($0) },
            provesRejection: { _ in isProven }
        )
        var request = HTTPRequest(method: method, url: url, body: [1])
        request.usesFreshConnection = true
        _ = try await client.send(request)
    }

    @Test(
        "sends it only to the configured origin",
        arguments: [
            ("https://a.example/x", true), ("HTTPS://A.example:443", true),
            ("http://a.example/x", false), ("https://a.example:444/", false),
            ("https://b.example/", false), ("https://a.example.b.example/", false),
            ("https://a.example@b.example/", false),
            ("https://b.example/?https://a.example", false),
            ("https://a.example\\@b.example/", false), ("no url", false),
            // libcurl would connect to b.example.
            ("https://b.example/\u{301}@a.example/x", false),
            ("https://b.example?\u{301}@a.example/x", false),
            ("https://b.example#\u{301}@a.example/x", false),
        ]
    )
    func origins(url: String, isSent: Bool) async throws {
        let server = Server()
        try await send(url, to: server)
        #expect(server.tokens == [isSent ? "Bearer t1" : nil])
    }

    @Test("never sends it unencrypted to a different machine, even if that is configured")
    func plain() async throws {
        let origins = ["http://a.example", "http://127.0.0.1:8080", "http://localhost"]
        for (url, isSent) in [
            ("http://a.example/", false), ("http://127.0.0.1:8080/", true),
            ("http://127.0.0.1/", false), ("http://localhost/", true),
        ] {
            let server = Server()
            try await send(url, to: server, origins: origins)
            #expect(server.tokens == [isSent ? "Bearer t1" : nil], "\(url)")
        }
    }

    @Test("repeats a request once after a 401, unchanged except for a new token")
    func repeated() async throws {
        let server = Server(401, 401, 401)
        try await send("https://a.example/", to: server)
        #expect(server.tokens == ["Bearer t1", "Bearer t2"])
        let requests = server.requests.withLock(\.self)
        #expect(requests.allSatisfy { $0.usesFreshConnection && $0.body == [1] })
    }

    @Test("repeats a request that changes something only if the 401 is certainly the server's own")
    func unproven() async throws {
        for method in [HTTPMethod.post, .put, .patch, .delete] {
            let server = Server(401, 401)
            try await send("https://a.example/", to: server, method: method, isProven: false)
            #expect(server.tokens == ["Bearer t1"])
        }
        let server = Server(401, 401)
        try await send("https://a.example/", to: server, method: .get, isProven: false)
        #expect(server.tokens == ["Bearer t1", "Bearer t2"])
    }

    @Test("does not repeat a request after another status or after the 401 of a different server")
    func notRepeated() async throws {
        for server in [Server(403), Server(500), Server(401, redirect: "https://b.example/")] {
            try await send("https://a.example/", to: server)
            #expect(server.tokens == ["Bearer t1"])
        }
    }
}
