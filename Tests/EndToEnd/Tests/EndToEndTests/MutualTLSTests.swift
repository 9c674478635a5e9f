import Foundation
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

    /// Makes a self-signed certificate and its key.
    private func make(_ name: String) async throws -> (certificate: String, key: String) {
        let paths = ("\(directory.path)/\(name).pem", "\(directory.path)/\(name).key")
        let openssl = try ChildProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", paths.1, "-out", paths.0, "-days", "30", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-config", "/dev/null",
            ]
        )
        #expect(await openssl.exitCode() == 0, "\(openssl.standardError())")
        return paths
    }

    /// A server that requires a client certificate signed by `trusted`, and lists no salons.
    private func serve(
        _ own: (certificate: String, key: String),
        trusting trusted: String
    ) async throws -> (server: ChildProcess, url: String) {
        let file = directory.path + "/salons"
        let body = #"{"salons":[]}"#
        try "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let server = try ChildProcess(
            "/bin/sh",
            [
                "-c", "cd '\(directory.path)' && exec \"$0\" \"$@\"",
                "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", own.certificate,
                "-key", own.key, "-Verify", "1", "-CAfile", trusted, "-verify_return_error",
                "-HTTP",
            ]
        )
        while let line = await server.line() {
            guard line.hasPrefix("ACCEPT "), let port = line.split(separator: ":").last else {
                continue
            }
            return (server, "https://127.0.0.1:\(port)")
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
