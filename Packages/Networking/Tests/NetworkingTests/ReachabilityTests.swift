import Foundation
import Networking
import SystemTestSupport
import Testing

/// How a proxy responds to `CONNECT` without connecting to the server.
enum RefusedTunnel: Sendable, CaseIterable {
    case movedTemporarily, notAllowed, wrongPassword, badGateway, unavailable, captivePortal
    case closed, reset, garbage, cut

    private var status: (Int, String)? {
        switch self {
        case .movedTemporarily: (302, "302 Found")
        case .notAllowed: (403, "403 Forbidden")
        case .wrongPassword: (407, "407 Proxy Authentication Required")
        case .badGateway: (502, "502 Bad Gateway")
        case .unavailable: (503, "503 Service Unavailable")
        case .captivePortal: (511, "511 Network Authentication Required")
        case .closed, .reset, .garbage, .cut: nil
        }
    }

    var reason: HTTPClientError.Reason { .proxyFailed(status: status?.0) }

    func respond(_ exchange: LoopbackServer.Exchange) {
        defer { exchange.end() }
        switch self {
        case .closed: break
        case .reset: exchange.reset()
        case .garbage: exchange.send("no HTTP\r\n\r\n")
        case .cut: exchange.send("HTTP/1.1 200")
        default:
            exchange.reply(status?.1 ?? "", headers: ["Proxy-Authenticate: Basic realm=\"a\""])
        }
    }
}

@Suite("Reachability", .timeLimit(.minutes(10)))
struct ReachabilityTests {
    private let post = HTTPRequest(method: .post, url: "https://proxied.test/", body: [1])

    private func client(
        proxy: String,
        trusting file: String? = nil,
        connectTimeout: Duration = .seconds(60)
    ) -> CurlHTTPClient {
        var configuration = CurlHTTPClient.Configuration()
        configuration.proxy = proxy
        configuration.certificateFile = file
        configuration.limits.connectTimeout = connectTimeout
        return CurlHTTPClient(configuration: configuration)
    }

    @Test(
        "A proxy that opens no tunnel was reached, and nothing was sent",
        arguments: RefusedTunnel.allCases
    )
    func refusedTunnel(_ refusal: RefusedTunnel) async throws {
        let proxy = try LoopbackServer { refusal.respond($0) }
        let error = try #require(await client(proxy: proxy.url).failure(post))
        #expect(error.reason == refusal.reason, "\(error)")
        #expect(!error.mayHaveBeenSent && !error.isMissingConnectivity)
        #expect(proxy.requests.allSatisfy { $0.hasPrefix("CONNECT proxied.test:443 ") })
    }

    @Test("A proxy that does not answer was reached, and nothing was sent")
    func silentProxy() async throws {
        let proxy = try LoopbackServer { $0.waitForClose() }
        let impatient = client(proxy: proxy.url, connectTimeout: .milliseconds(300))
        let error = try #require(await impatient.failure(post))
        #expect(error.reason == .timedOut(.handshake))
        #expect(!error.mayHaveBeenSent && !error.isMissingConnectivity)
    }

    @Test("A request that is cancelled while the proxy connects was not sent")
    func cancelledTunnel() async throws {
        let asked = Signal()
        let proxy = try LoopbackServer { exchange in
            asked.fire()
            exchange.waitForClose()
        }
        let client = client(proxy: proxy.url)
        let task = Task { await client.failure(post) }
        await asked.wait()
        task.cancel()
        #expect(await task.value == HTTPClientError(.cancelled))
    }

    @Test("An error message names the proxy and its status")
    func words() {
        let texts = [407, 403, nil].map { HTTPClientError(.proxyFailed(status: $0)).description }
        #expect(
            texts == [
                "the proxy requires other credentials (status 407)",
                "the proxy did not connect to the server (status 403)",
                "the proxy did not connect to the server",
            ]
        )
    }

    @Test("A proxy that cannot be reached is missing connectivity")
    func unreachableProxy() async throws {
        for (proxy, reason) in [
            ("http://127.0.0.1:1", .couldNotConnect), ("http://unknown.invalid", .couldNotResolve),
            ("socks5://127.0.0.1:1", .couldNotConnect),
        ] as [(String, HTTPClientError.Reason)] {
            for url in ["http://proxied.test/", "https://proxied.test/"] {
                let request = HTTPRequest(method: .post, url: url, body: [1])
                let error = try #require(await client(proxy: proxy).failure(request))
                #expect(error.reason == reason && !error.mayHaveBeenSent)
                #expect(error.isMissingConnectivity)
            }
        }
    }

    @Test("A proxy that forwards requests receives the request itself")
    func forwardingProxy() async throws {
        let proxy = try LoopbackServer { $0.reset() }
        let request = HTTPRequest(method: .post, url: "http://proxied.test/", body: [1])
        let error = try #require(await client(proxy: proxy.url).failure(request))
        #expect(error.reason == .connectionLost)
        #expect(error.mayHaveBeenSent && !error.isMissingConnectivity)
    }

    @Test(
        "A SOCKS proxy that does not connect was reached, and nothing was sent",
        arguments: 1...8 as ClosedRange<UInt8>
    )
    func socks(code: UInt8) async throws {
        let proxy = try RawServer.socks(answer: code)
        for url in ["http://127.0.0.1:1/", "https://127.0.0.1:1/"] {
            let request = HTTPRequest(method: .post, url: url, body: [1])
            let error = try #require(
                await client(proxy: "socks5h://127.0.0.1:\(proxy.port)").failure(request)
            )
            #expect(error.reason == .proxyFailed(status: nil), "\(error)")
            #expect(!error.mayHaveBeenSent && !error.isMissingConnectivity)
        }
    }

    @Test("A name that cannot be resolved for a SOCKS proxy is missing connectivity")
    func socksWithoutName() async throws {
        let proxy = try RawServer.socks(answer: 0)
        let request = HTTPRequest(method: .post, url: "http://unknown.invalid/", body: [1])
        let error = try #require(
            await client(proxy: "socks5://127.0.0.1:\(proxy.port)").failure(request)
        )
        #expect(error.reason == .couldNotResolve && !error.mayHaveBeenSent)
        #expect(error.isMissingConnectivity)
    }

    @Test("A server that closes or resets the connection was reached", arguments: [true, false])
    func emptyReply(isReset: Bool) async throws {
        let server = try LoopbackServer { isReset ? $0.reset() : $0.end() }
        let request = HTTPRequest(method: .post, url: server.url, body: [1])
        let error = try #require(await CurlHTTPClient().failure(request))
        #expect(error.reason == .connectionLost)
        #expect(error.mayHaveBeenSent && !error.isMissingConnectivity)
    }

    @Test(
        "A port that accepts connections and closes them before TLS was reached",
        arguments: [true, false]
    )
    func closedBeforeTLS(isReset: Bool) async throws {
        let server = try RawServer { descriptor in
            var byte: UInt8 = 0
            // Unread bytes make the system send a reset.
            if isReset {
                _ = read(descriptor, &byte, 1)
            } else {
                shutdown(descriptor, Int32(SHUT_WR))
            }
        }
        let url = "https://127.0.0.1:\(server.port)/"
        let request = HTTPRequest(method: .post, url: url, body: [1])
        let error = try #require(await CurlHTTPClient().failure(request))
        #expect(error.reason == .tls, "\(error)")
        #expect(!error.mayHaveBeenSent && !error.isMissingConnectivity)
    }

    @Test("A failure after a redirect is not missing connectivity, because something answered")
    func redirected() async throws {
        for target in ["http://127.0.0.1:1/", "http://unknown.invalid/"] {
            let portal = try LoopbackServer {
                $0.reply("302 Found", headers: ["Location: \(target)"])
            }
            let request = HTTPRequest(method: .get, url: portal.url)
            let error = try #require(await CurlHTTPClient().failure(request))
            #expect([.couldNotConnect, .couldNotResolve].contains(error.reason))
            #expect(!error.isMissingConnectivity)
        }
    }

    @Test(
        "A failure after an attempt that reached the server is not missing connectivity",
        arguments: [503, nil]
    )
    func retried(status: Int?) async throws {
        let client = ScriptedClient { call, _ throws(HTTPClientError) in
            guard call == 1 else { throw HTTPClientError(.couldNotConnect) }
            guard let status else { throw HTTPClientError(.connectionLost, mayHaveBeenSent: true) }
            return .status(status)
        }
        let retrying = RetryingHTTPClient(client, clock: ManualClock(), jitter: { $0 })
        let get = HTTPRequest(method: .get, url: "http://a.test/")
        let error = try #require(await retrying.failure(get))
        #expect(error.reason == .couldNotConnect && error.hadContact)
        #expect(!error.isMissingConnectivity)
    }

    @Test("A link that the system gives up is missing connectivity, and the request was sent")
    func lostLink() async throws {
        let stalled = Signal()
        // The server accepts the connection, and receives nothing.
        let server = try RawServer { descriptor in
            stalled.fire()
            var entry = pollfd(fd: descriptor, events: 0, revents: 0)
            poll(&entry, 1, 60_000)
        }
        let url = "http://127.0.0.1:\(server.port)/"
        let body = [UInt8](repeating: 0, count: 32 << 20)
        let client = CurlHTTPClient { $0.stallTimeout = .seconds(60) }
        let request = HTTPRequest(
            method: .post,
            url: url,
            body: body,
            totalTimeout: .seconds(60)
        )
        async let failure = client.failure(request)
        await stalled.wait()
        let socket = try #require(Self.socket(connectedTo: server.port))
        var milliseconds: UInt32 = 500
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, 4)
        let error = try #require(await failure)
        #expect(error.reason == .linkLost, "\(error)")
        #expect(error.mayHaveBeenSent && error.isMissingConnectivity)
    }

    /// The socket of this process that is connected to a port of this machine.
    private static func socket(connectedTo port: UInt16) -> Int32? {
        (3..<4_096).first { descriptor in
            var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
            let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(descriptor, $0, &size) == 0
                }
            }
            return isConnected && address.sin_port == port.bigEndian
        }
    }
}

@Suite(
    "Reachability with TLS",
    .enabled(if: OpenSSL.isInstalled, "needs the command openssl"),
    .timeLimit(.minutes(10))
)
struct TLSReachabilityTests {
    private func client(
        trusting file: String?,
        proxy: String? = nil,
        connectTimeout: Duration = .seconds(60)
    ) -> CurlHTTPClient {
        var configuration = CurlHTTPClient.Configuration()
        configuration.certificateFile = file
        configuration.proxy = proxy
        configuration.limits.connectTimeout = connectTimeout
        return CurlHTTPClient(configuration: configuration)
    }

    @Test("Behind a proxy that intercepts with an unknown certificate, nothing was sent")
    func intercepted() async throws {
        let (authority, unknown) = (try await Authority(), try await Authority())
        try await unknown.issue()
        let server = try await TLSServer(unknown, response: TLSServer.ok)
        let proxy = try LoopbackServer { [port = server.port] in $0.tunnel(to: port) }
        let client = client(trusting: authority.file, proxy: proxy.url)
        let request = HTTPRequest(method: .post, url: server.url, body: [1])
        let error = try #require(await client.failure(request))
        #expect(error.reason == .tls, "\(error)")
        #expect(!error.mayHaveBeenSent && !error.isMissingConnectivity)
        #expect(proxy.requests.count == 1)
    }

    @Test("A request that was sent through a tunnel may have arrived")
    func tunneled() async throws {
        let authority = try await Authority()
        try await authority.issue()
        // It prints what it receives, and never responds.
        let server = try await TLSServer(authority, options: "")
        let proxy = try LoopbackServer { [port = server.port] in $0.tunnel(to: port) }
        let client = client(trusting: authority.file, proxy: proxy.url)
        let request = HTTPRequest(method: .post, url: server.url, body: [1])
        let task = Task { await client.failure(request) }
        await onThread { [output = server.output] in
            var text = ""
            while !text.contains("POST / HTTP/1.1") {
                let more = output.availableData
                if more.isEmpty { break }
                text += String(decoding: more, as: UTF8.self)
            }
        }
        task.cancel()
        #expect(await task.value == HTTPClientError(.cancelled, mayHaveBeenSent: true))
    }

    @Test("A TLS handshake that does not progress is no missing connectivity")
    func stalledHandshake() async throws {
        let server = try RawServer { descriptor in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }
        let client = client(trusting: nil, connectTimeout: .milliseconds(300))
        let url = "https://127.0.0.1:\(server.port)/"
        let error = try #require(
            await client.failure(HTTPRequest(method: .post, url: url, body: [1]))
        )
        #expect(error.reason == .timedOut(.handshake))
        #expect(!error.mayHaveBeenSent && !error.isMissingConnectivity)
    }

    @Test(
        "A server that requires a client certificate was reached, whatever arrives first",
        arguments: ["-tls1_2", "-tls1_3"]
    )
    func requiredCertificate(version: String) async throws {
        let authority = try await Authority()
        try await authority.issue()
        let server = try await TLSServer(
            authority,
            response: TLSServer.ok,
            options: "-Verify 1 -verify_return_error -CAfile ca.pem \(version)"
        )
        for _ in 1...25 {
            let error = try #require(await client(trusting: authority.file).failure(server.request))
            #expect([.tls, .connectionLost].contains(error.reason), "\(error)")
            #expect(error.detail.contains("client certificate") == (version == "-tls1_3"))
            // In TLS 1.3 the request is sent before the server can reject the client.
            #expect(error.mayHaveBeenSent == (version == "-tls1_3"))
            #expect(!error.isMissingConnectivity)
        }
    }
}
