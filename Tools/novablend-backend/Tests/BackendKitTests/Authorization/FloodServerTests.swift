import BackendKit
import BookingStorage
import Domain
import Foundation
import Synchronization
import Testing

/// The server allows 50 requests per second, and twice as many at once.
@Suite("A server that a client at the address of others floods", .timeLimit(.minutes(10)))
struct FloodServerTests {
    private static let address = "X-Forwarded-For: 192.0.2.1"
    private static let deadline = Duration.seconds(60)

    /// What the flood sends.
    enum Kind: CaseIterable, Sendable { case nothing, badToken, wrongSecrets, guesses }

    private func server() async throws -> AuthorizedBackend {
        try await AuthorizedBackend(rateLimit: 50, trusting: "127.0.0.1")
    }

    private func tokens(_ server: AuthorizedBackend) async throws -> [AccessToken] {
        var tokens: [AccessToken] = []
        for _ in 0..<16 { tokens.append(try await server.create()) }
        return tokens
    }

    private func status(
        _ token: AccessToken,
        _ server: AuthorizedBackend,
        from address: String = address
    ) throws -> Int {
        let field = "Authorization: Bearer \(token.text)"
        return try server.send("GET /appointments", field, address).status
    }

    private func flood(
        _ server: AuthorizedBackend,
        _ kind: Kind,
        beside token: AccessToken
    ) -> Flood {
        let bad = AccessToken().text
        return Flood(port: server.backend.port) {
            let text: String? =
                switch kind {
                case .nothing: nil
                case .badToken: bad
                case .wrongSecrets:
                    "\(token.text.dropLast(64))\(AccessToken().text.suffix(64))"
                case .guesses: AccessToken().text
                }
            return [Self.address] + (text.map { ["Authorization: Bearer \($0)"] } ?? [])
        }
    }

    @Test("answers all requests of tokens that it has seen before", arguments: Kind.allCases)
    func known(kind: Kind) async throws {
        let server = try await server()
        defer { server.stop() }
        let tokens = try await tokens(server)
        for token in tokens { #expect(try status(token, server) == 200) }
        let flood = flood(server, kind, beside: tokens[0])
        await flood.awaitRejections()
        for _ in 0..<4 {
            for token in tokens { #expect(try status(token, server) == 200) }
        }
        await flood.end()
    }

    @Test(
        "answers the first request of each token, unless the client guesses tokens",
        arguments: [Kind.nothing, .badToken, .wrongSecrets]
    )
    func new(kind: Kind) async throws {
        let server = try await server()
        defer { server.stop() }
        let tokens = try await tokens(server)
        let flood = flood(server, kind, beside: tokens[0])
        await flood.awaitRejections()
        for token in tokens { #expect(try status(token, server) == 200) }
        await flood.end()
    }

    @Test("answers new tokens soon if the client guesses tokens, and at once at other addresses")
    func guesses() async throws {
        let server = try await server()
        defer { server.stop() }
        let tokens = try await tokens(server)
        let flood = flood(server, .guesses, beside: tokens[0])
        await flood.awaitRejections()
        for token in tokens[8...] {
            #expect(try status(token, server, from: "X-Forwarded-For: 192.0.2.2") == 200)
        }
        let deadline = ContinuousClock.now + Self.deadline
        for token in tokens[..<8] {
            var statuses: [Int] = []
            repeat {
                statuses.append(try status(token, server))
            } while statuses.last == 429 && ContinuousClock.now < deadline
            #expect(statuses.last == 200)
            // From now on, the token is known.
            for _ in 0..<4 { #expect(try status(token, server) == 200) }
        }
        await flood.end()
    }
}

/// Requests on several connections at once, each as soon as the one before it is answered.
private final class Flood: Sendable {
    private static let threadCount = 8

    private let isOver = Atomic(false)
    private let rejections = Atomic(0)
    private let failures = Atomic(0)
    private let ended: AsyncStream<Void>

    init(port: UInt16, _ headers: @escaping @Sendable () -> [String]) {
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        for _ in 0..<Self.threadCount {
            Thread.detachNewThread { [self] in
                while !isOver.load(ordering: .relaxed) {
                    let response = exchange(port, "GET /appointments", headers: headers())
                    switch response?.status {
                    case 401: break
                    case 429: rejections.add(1, ordering: .relaxed)
                    default: failures.add(1, ordering: .relaxed)
                    }
                }
                continuation.yield()
            }
        }
    }

    /// Waits until the server has rejected many of the requests because there were too many.
    func awaitRejections() async {
        let deadline = ContinuousClock.now + .seconds(60)
        while rejections.load(ordering: .relaxed) < 100, ContinuousClock.now < deadline {
            await Task.yield()
        }
        #expect(rejections.load(ordering: .relaxed) >= 100)
    }

    func end() async {
        isOver.store(true, ordering: .relaxed)
        for await _ in ended.prefix(Self.threadCount) {}
        #expect(failures.load(ordering: .relaxed) == 0)
    }
}
