import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("The doctor command", .throttled, .timeLimit(.minutes(10)))
struct DoctorCommandTests {
    /// The findings by the name of the check, as `state: found`.
    private func checks(_ outcome: CommandLineClient.Outcome) throws -> [String: String] {
        let all = try outcome.object().required("checks").array().map { try $0.object() }
        return Dictionary(
            uniqueKeysWithValues: try all.map { check in
                let state = try check.required("state").string()
                let found = try check.required("found").string()
                return (try check.required("check").string(), "\(state): \(found)")
            }
        )
    }

    @Test("if everything is in order, each check prints ok")
    func healthy() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let outcome = try await cli.run("doctor")
        #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.lines.count == 17)
        #expect(outcome.lines.allSatisfy { $0.hasPrefix("ok    ") }, "\(outcome.output)")
        #expect(outcome.line(0).contains("with 6 salons"))
        #expect(outcome.line(16).contains("built from source"))
        let found = try checks(try await cli.run("doctor", "--json"))
        #expect(found.count == 17 && found["certificate"]?.hasPrefix("ok") == true)
    }

    @Test("an unreachable server is reported, and the other checks still run")
    func unreachable() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        backend.child.kill()
        let outcome = try await cli.run("doctor", "--json")
        let found = try checks(outcome)
        #expect(outcome.code == 1 && found["server"]?.hasPrefix("fail: ") == true)
        #expect(
            found["journal"]?.hasPrefix("ok") == true && found["clock"]?.hasPrefix("ok") == true
        )
    }

    @Test("without a configured server there is a warning, and the exit code is 0")
    func notConfigured() async throws {
        let outcome = try await CommandLineClient().run("doctor")
        #expect(outcome.code == 0 && outcome.line(0).hasPrefix("warn  server"))
        #expect(outcome.line(0).contains("--base-url URL"))
    }

    @Test("unusable directories, a damaged journal, and missing time zones are reported")
    func machine() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        _ = try await cli.book()
        let state = try AccountDirectory.path(in: cli.home.path + "/.local/state/novablend")
        try Data("garbage".utf8).write(to: URL(filePath: state + "/bookings.journal"))
        let open = cli.home.path + "/open"
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
        let outcome = try await cli.run(
            ["doctor", "--json", "--cache-dir", open],
            environment: ["TZDIR": open]
        )
        let found = try checks(outcome)
        #expect(outcome.code == 1)
        for check in ["cache-mode", "cache-write", "journal", "zones"] {
            #expect(found[check]?.hasPrefix("fail: ") == true, "\(check): \(found[check] ?? "")")
        }
        #expect(
            found["server"]?.hasPrefix("ok") == true
                && found["state-write"]?.hasPrefix("ok") == true
        )
    }

    @Test("a clock that differs from the server's is a warning")
    func clock() async throws {
        let server = try ScriptedServer { _ in
            .reply("200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT", #"{"salons":[]}"#)
        }
        let outcome = try await CommandLineClient(["--base-url", server.url]).run("doctor")
        let clock = outcome.lines.first { $0.contains("clock") }
        #expect(outcome.code == 0 && clock?.hasPrefix("warn  clock") == true)
        #expect(clock?.contains("ahead of the server's; set this machine's clock") == true)
    }

    @Test(
        "an untrusted certificate is reported, and accepted with --ca-file",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"))
    )
    func certificate() async throws {
        let server = try await SelfSignedServer()
        let cli = try CommandLineClient(["--salons-url", server.url + "/salons"])
        let untrusted = try await cli.run("doctor")
        #expect(untrusted.code == 1 && untrusted.line(1).hasPrefix("fail  certificate  "))
        #expect(untrusted.line(1).contains("--ca-file"))
        let trusted = try await cli.run("doctor", "--ca-file", server.certificate)
        #expect(trusted.line(1).hasPrefix("ok    certificate     verified"), "\(trusted.output)")
        #expect(trusted.line(1).contains(", until 2"))
    }

    @Test(
        "a certificate that expires soon is a warning",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"))
    )
    func expiry() async throws {
        let soon = try await SelfSignedServer(days: 3)
        let cli = try CommandLineClient(["--salons-url", soon.url + "/salons"])
        let warned = try await cli.run("doctor", "--ca-file", soon.certificate)
        #expect(warned.line(1).hasPrefix("warn  certificate  "), "\(warned.output)")
        #expect(warned.line(1).contains(" days are left; ask the server's operator to renew"))
    }
}

/// The test server of OpenSSL (`s_server -www`) with a self-signed certificate.
final class SelfSignedServer: Sendable {
    let url: String
    let certificate: String
    private let directory: TemporaryDirectory
    private let server: ChildProcess

    init(days: Int = 30) async throws {
        directory = try TemporaryDirectory()
        certificate = directory.path + "/cert.pem"
        let key = directory.path + "/key.pem"
        let openssl = try ChildProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", key, "-out", certificate, "-days", "\(days)", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-config", "/dev/null",
            ]
        )
        #expect(await openssl.exitCode() == 0, "\(openssl.standardError())")
        let arguments = [
            "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www",
        ]
        server = try ChildProcess("/usr/bin/openssl", arguments)
        var port: Substring?
        while port == nil, let line = await server.line() {
            if line.hasPrefix("ACCEPT ") { port = line.split(separator: ":").last }
        }
        url = "https://127.0.0.1:\(try #require(port))"
    }

    deinit { server.kill() }
}
