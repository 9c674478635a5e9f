import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite(
    "Mutual TLS and proxies",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")),
    .throttled,
    .timeLimit(.minutes(10))
)
struct MutualTLSTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Makes a self-signed certificate and its key, which has been valid for nine days.
    private func make(_ name: String) async throws -> (certificate: String, key: String) {
        let paths = ("\(directory.path)/\(name).pem", "\(directory.path)/\(name).key")
        let command = FakeClock.behind(by: "9d")
        let openssl = try ChildProcess(
            command[0],
            command.dropFirst() + [
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", paths.1, "-out", paths.0, "-days", "30", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-config", "/dev/null",
            ]
        )
        #expect(await openssl.exitCode() == 0, "\(openssl.standardError())")
        return paths
    }

    /// A server with a list of salons. If there is a `trusted` certificate, the server requires that
    /// the client's certificate is signed by it.
    private func serve(
        _ own: (certificate: String, key: String),
        trusting trusted: String?,
        body: String = #"{"salons":[]}"#,
        port: String = "0"
    ) async throws -> (server: ChildProcess, url: String) {
        let file = directory.path + "/salons"
        let options = trusted.map { ["-Verify", "1", "-CAfile", $0, "-verify_return_error"] }
        try "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let server = try ChildProcess(
            "/bin/sh",
            [
                "-c", "cd '\(directory.path)' && exec \"$0\" \"$@\"",
                "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert",
                own.certificate, "-key", own.key, "-HTTP",
            ] + (options ?? [])
        )
        while let line = await server.line() {
            // It prints the port only if the system has chosen it.
            guard line.hasPrefix("ACCEPT") else { continue }
            let chosen = line.split(separator: ":").dropFirst().last.map(String.init)
            return (server, "https://127.0.0.1:\(chosen ?? port)")
        }
        throw POSIXError(.ECONNREFUSED)
    }

    @Test(
        "a server accepts the client certificate, and doctor reports a mismatch with its key"
    )
    func certificate() async throws {
        let (server, client, other) = (
            try await make("server"), try await make("client"), try await make("other")
        )
        let running = try await serve(server, trusting: client.certificate)
        defer { running.server.kill() }
        let cli = try CommandLineClient([
            "--salons-url", running.url + "/salons", "--ca-file", server.certificate,
        ])
        func words(_ certificate: String, _ key: String) -> [String] {
            ["--client-certificate", certificate, "--client-key", key]
        }
        let own = words(client.certificate, client.key)
        let listed = try await cli.run(["salons"] + own)
        #expect(listed.code == 0 && !listed.errors.contains("cache"), "\(listed)")
        let healthy = try await cli.run(["doctor"] + own)
        #expect(healthy.output.contains("ok    client-cert     \(client.certificate)"))

        func check(_ outcome: CommandLineClient.Outcome) -> String {
            outcome.lines.first { $0.contains("  client-cert  ") } ?? ""
        }
        let mismatch = try await cli.run(["doctor"] + words(client.certificate, other.key))
        #expect(mismatch.code == 1 && check(mismatch).hasPrefix("fail"), "\(mismatch.output)")
        #expect(check(mismatch).contains("belong together"))
        let missing = try await cli.run(["doctor"] + words(client.certificate, "/nonexistent"))
        #expect(check(missing).hasPrefix("fail") && check(missing).contains("/nonexistent"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: client.key
        )
        let readable = try await cli.run(["doctor"] + own)
        #expect(check(readable).hasPrefix("warn") && check(readable).contains("chmod 600"))
    }

    /// Calls `use` with a client that cached a list with one salon eight days ago, so that the list has
    /// expired, and with the port of the server, which does not run any more.
    private func withExpiredList(
        _ own: (certificate: String, key: String),
        _ use: (_ client: CommandLineClient, _ port: String) async throws -> Void
    ) async throws {
        let running = try await serve(own, trusting: nil, body: ZonedSalons.list(["UTC"]))
        let client = try CommandLineClient([
            "--salons-url", running.url + "/salons", "--ca-file", own.certificate,
        ])
        let command = FakeClock.behind(by: "8d") + [Binaries.novablend]
        let child = try ChildProcess(
            command[0],
            command.dropFirst() + client.arguments(["salons"]),
            environment: client.environment
        )
        child.endInput()
        #expect(await child.exitCode() == 0, "\(child.standardError())")
        running.server.kill()
        _ = await running.server.exitCode()
        try await use(client, running.url.split(separator: ":").last.map(String.init) ?? "")
        // The list is still there.
        let status = try await client.run("cache", "status", "--json")
        let resources = try status.object().required("resources").array()
        let states = try resources.map { try $0.object() }.filter {
            try $0.required("name").string() == "salons"
        }.map { try $0.required("state").string() }
        #expect(states == ["expired"], "\(status)")
    }

    @Test(
        "a proxy's answer is an error if the list has expired, and nothing is deleted",
        arguments: [
            "407 Proxy Authentication Required", "403 Forbidden", "503 Service Unavailable",
            "511 Network Authentication Required", nil,
        ]
    )
    func refusedTunnel(status: String?) async throws {
        let own = try await make("server")
        let proxy = try ScriptedServer { _ in status.map { .reply($0, "") } ?? .hangUp }
        try await withExpiredList(own) { client, _ in
            let list = try await client.run("salons", "--proxy", proxy.url, "--json")
            #expect(list.code == 69, "\(list)")
            #expect(list.errors.contains(#""name":"unavailable""#), "\(list)")
            #expect(list.errors.contains(status?.prefix(3) ?? "the proxy"), "\(list)")
        }
    }

    @Test("an intercepting proxy is an error if the list has expired, and nothing is deleted")
    func interceptingProxy() async throws {
        let (own, other) = (try await make("server"), try await make("other"))
        try await withExpiredList(own) { client, port in
            let running = try await serve(other, trusting: nil, port: port)
            defer { running.server.kill() }
            let list = try await client.run("salons", "--json")
            #expect(list.code == 69, "\(list)")
            #expect(list.errors.contains(#""name":"unavailable""#), "\(list)")
        }
    }

    @Test("a required client certificate is always an error, and nothing is deleted")
    func requiredCertificate() async throws {
        let (own, other) = (try await make("server"), try await make("client"))
        try await withExpiredList(own) { client, port in
            let running = try await serve(own, trusting: other.certificate, port: port)
            defer { running.server.kill() }
            for _ in 1...12 {
                let list = try await client.run("salons", "--json")
                #expect(list.code == 69, "\(list)")
                #expect(list.errors.contains(#""name":"unavailable""#), "\(list)")
            }
        }
    }

    @Test("a booking through a proxy that opens no tunnel was not sent, and is not in doubt")
    func unsentBooking() async throws {
        let proxy = try ScriptedServer { _ in .reply("403 Forbidden", "") }
        let client = try Novablend(["--base-url", "https://salons.example", "--proxy", proxy.url])
        let slot = Slots().take()
        let failure = try await client.failure("appointments/book", "{\(slot.members)}")
        #expect(failure.name == "bookingRequiresConnection", "\(failure)")
        #expect(failure.message.contains("403"), "\(failure)")
        let open = try await client.result("appointments/resolve")
        #expect(!open.text.contains(slot.time), "\(open.text)")
    }

    @Test("--proxy names a proxy, or takes it from the environment, which is ignored otherwise")
    func proxy() async throws {
        let proxy = try ScriptedServer { connection in
            let isAbsolute = connection.request.hasPrefix("GET http://salons.example/salons ")
            return isAbsolute ? .reply("200 OK", #"{"salons":[]}"#) : .reply("400 Bad Request", "")
        }
        let cli = try CommandLineClient(["--base-url", "http://salons.example"])
        #expect(try await cli.run("salons", "--proxy", proxy.url).code == 0)
        let environment = ["http_proxy": proxy.url]
        let used = try await cli.run(
            ["salons", "--proxy", "environment"],
            environment: environment
        )
        #expect(used.code == 0 && !used.errors.contains("cache"), "\(used)")
        let named = try await cli.run("doctor", "--proxy", proxy.url)
        #expect(named.output.contains("requests go through \(proxy.url)"))
        let words = ["doctor", "--proxy", "environment"]
        let listed = try await cli.run(words, environment: environment)
        #expect(listed.output.contains("from the environment: http_proxy"))
        #expect(try await cli.run(words).output.contains("warn  proxy"))
        // It names no proxy, only hosts that need none.
        let exceptions = try await cli.run(words, environment: ["no_proxy": "localhost"])
        #expect(exceptions.output.contains("warn  proxy"))
    }
}
