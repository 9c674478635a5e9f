import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Credentials", .throttled, .timeLimit(.minutes(10)))
struct CredentialTests {
    private static let token = "s3cret-t0ken.~+/=="

    /// Writes a file that only its owner can read, unless `mode` differs.
    private func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// A script in `directory` that counts its runs in the file `runs`, and then executes `output`.
    private func program(_ output: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path + "/print token"
        let text = "#!/bin/sh\necho run >> '\(directory.path)/runs'\n\(output)\n"
        try write(text, to: path, mode: 0o700)
        return path
    }

    private func runs(in directory: TemporaryDirectory) -> Int {
        let text = try? String(contentsOfFile: directory.path + "/runs", encoding: .utf8)
        return text?.split(separator: "\n").count ?? 0
    }

    /// A client whose token command prints the file `current` in `directory`.
    private func client(
        of server: TokenServer,
        startingWith token: String,
        in directory: TemporaryDirectory
    ) throws -> Novablend {
        try write(token, to: directory.path + "/current")
        let program = try program("cat '\(directory.path)/current'", in: directory)
        return try Novablend(
            ["--base-url", server.url, "--token-command", "'\(program)'"],
            in: directory
        )
    }

    @Test("the token comes from a file, a command, or the environment")
    func sources() async throws {
        let server = try TokenServer(accepting: Self.token)
        let cli = try CommandLineClient(["--base-url", server.url])
        #expect(try await cli.run("salons").code == 77)
        let file = cli.home.path + "/token"
        try write("  \(Self.token) \nmore\n", to: file)
        let program = try program("echo ' \(Self.token)'; echo more", in: cli.home)
        let environment = ["NOVABLEND_TOKEN": Self.token]
        let config = cli.home.path + "/config"
        try write("token-file = \(file)\n", to: config)
        for outcome in [
            try await cli.run("salons", "--token-file", file),
            try await cli.run("salons", "--token-command", "'\(program)' \"two words\""),
            try await cli.run(["salons"], environment: environment),
            try await cli.run("salons", "--config", config),
        ] {
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        #expect(server.tokens == [nil] + Array(repeating: Self.token, count: 4))
    }

    @Test(
        "an option overrides the environment, and the environment overrides the configuration file"
    )
    func precedence() async throws {
        let server = try TokenServer(accepting: "typed")
        let cli = try CommandLineClient(["--base-url", server.url])
        let (typed, configured) = (cli.home.path + "/typed", cli.home.path + "/configured")
        try write("typed", to: typed)
        try write("configured", to: configured)
        let config = cli.home.path + "/config"
        try write("token-file = \(configured)\n", to: config)
        let words = ["salons", "--config", config]
        let environment = ["NOVABLEND_TOKEN": "environment"]
        _ = try await cli.run(words + ["--token-file", typed], environment: environment)
        _ = try await cli.run(words, environment: environment)
        _ = try await cli.run(words)
        #expect(server.tokens == ["typed", "environment", "configured"])
    }

    @Test("a profile uses its own token, and never that of a different profile")
    func profiles() async throws {
        let server = try TokenServer(accepting: "a")
        let cli = try CommandLineClient()
        let file = cli.home.path + "/token"
        try write("a", to: file)
        let config = cli.home.path + "/config"
        let text =
            "base-url = \(server.url)\ntoken-file = \(file)\n[profile b]\nbase-url = \(server.url)\n"
        try write(text, to: config)
        #expect(try await cli.run("salons", "--config", config).code == 0)
        let other = ["salons", "--config", config, "--profile", "b"]
        #expect(try await cli.run(other).code == 77)
        let environment = ["NOVABLEND_PROFILE": "b"]
        #expect(try await cli.run(Array(other.prefix(3)), environment: environment).code == 77)
        #expect(server.tokens == ["a", nil, nil])
    }

    @Test("the token of the configuration file is not sent to a different --base-url")
    func differentServer() async throws {
        let (own, other) = (try TokenServer(accepting: "a"), try TokenServer(accepting: "a"))
        let cli = try CommandLineClient()
        let file = cli.home.path + "/token"
        try write("a", to: file)
        let config = cli.home.path + "/config"
        try write("base-url = \(own.url)\ntoken-file = \(file)\n", to: config)
        let words = ["salons", "--config", config, "--base-url"]
        #expect(try await cli.run(words + [own.url + "/"]).code == 0)
        #expect(try await cli.run(words + [other.url]).code == 77)
        #expect(own.tokens == ["a"] && other.tokens == [nil])
    }

    @Test("after a 401 the command runs again, and the request is repeated if the token is new")
    func renewed() async throws {
        let server = try TokenServer(accepting: "first")
        let directory = try TemporaryDirectory()
        let client = try client(of: server, startingWith: "first", in: directory)
        for method in ["salons/list", "menu/list"] { _ = try await client.result(method) }
        #expect(runs(in: directory) == 1)

        server.accept("second")
        try write("second", to: directory.path + "/current")
        _ = try await client.result("salons/list")
        #expect(runs(in: directory) == 2)
        #expect(server.tokens == ["first", "first", "first", "second"])

        // The command returns the same token, so the request is not repeated.
        server.accept("third")
        #expect(try await client.failure("salons/list").code == 1_005)
        #expect(runs(in: directory) == 3 && server.tokens.count == 5)
    }

    @Test("concurrent 401s run the command once")
    func concurrent() async throws {
        let server = try TokenServer(accepting: "first")
        let directory = try TemporaryDirectory()
        let client = try client(of: server, startingWith: "first", in: directory)
        _ = try await client.result("salons/list")
        server.accept("second")
        try write("second", to: directory.path + "/current")
        let methods = ["salons", "feed", "movies", "menu", "appointments"]
        for (id, name) in methods.enumerated() { client.send(100 + id, "\(name)/list", "{}") }
        for _ in methods {
            let reply = try #require(await client.child.line())
            #expect(reply.contains(#""result""#), "\(reply)")
        }
        #expect(runs(in: directory) == 2)
        #expect(server.tokens.count { $0 == "second" } == methods.count)
    }

    @Test("a 401 is an error if the token file has not changed, and the cache is not used instead")
    func rejected() async throws {
        let server = try TokenServer(accepting: "a")
        let directory = try TemporaryDirectory()
        let file = directory.path + "/token"
        try write("a", to: file)
        let client = try Novablend(
            ["--base-url", server.url, "--token-file", file],
            in: directory
        )
        _ = try await client.result("salons/list")
        server.accept("b")
        #expect(try await client.failure("salons/list").code == 1_005)
        // The file is read again after it has changed.
        try write("b", to: file)
        #expect(try await client.result("salons/list").source() != "cache")
        #expect(server.tokens == ["a", "a", "a", "b"])
    }

    @Test(
        "a token goes only to the configured servers, not to images or redirects elsewhere"
    )
    func otherOrigins() async throws {
        let other = try TokenServer(accepting: "none", rejection: "404 Not Found")
        let server = try ScriptedServer { connection in
            if connection.request.hasPrefix("GET /salons") {
                return .reply("302 Found\r\nLocation: \(other.url)/salons", "")
            }
            let item = #"{"id":"1","name":"n","image":"\#(other.url)/a.png"}"#
            return .reply("200 OK", #"{"items":[\#(item)]}"#)
        }
        let client = try Novablend(["--base-url", server.url, "--token-command", "echo a"])
        _ = try await client.failure("salons/list")
        _ = try await client.call("menu/list")
        _ = try await client.call("menu/image", #"{"url":"\#(other.url)/a.png"}"#)
        #expect(!other.tokens.isEmpty && other.tokens.allSatisfy { $0 == nil })
    }

    @Test(
        "a token file that others can read, or without a valid token, ends with 78 and a hint",
        arguments: [
            (Self.token, 0o644, "chmod 600"), (Self.token, 0o640, "chmod 600"),
            (Self.token, 0o604, "chmod 600"), (Self.token, 0o660, "chmod 600"),
            ("s3cret-t0ken\u{7}", 0o600, "no valid token"), ("\n", 0o600, "no valid token"),
            ("s3cret t0ken", 0o600, "no valid token"),
        ]
    )
    func badFile(text: String, mode: Int, hint: String) async throws {
        let cli = try CommandLineClient(["--base-url", "http://127.0.0.1:9"])
        let file = cli.home.path + "/token"
        try write(text, to: file, mode: mode)
        for command in ["salons", "serve"] {
            let outcome = try await cli.run(command, "--token-file", file)
            #expect(outcome.code == 78 && outcome.errors.contains(hint), "\(outcome)")
            #expect(outcome.errors.contains(file) && !outcome.errors.contains("s3cret"))
        }
        let doctor = try await cli.run("doctor", "--token-file", file)
        let check = doctor.lines.first { $0.hasPrefix("fail  token ") }
        #expect(doctor.code == 1 && check?.contains(hint) == true, "\(doctor.output)")
    }

    @Test(
        "a token command that fails is a credential error with its status but without its output",
        arguments: [
            ("echo s3cret; echo s3cret >&2; exit 3", "status 3"), ("exit 0", "no valid token"),
            ("kill -9 $$", "status 137"), ("echo 's3cret t0ken'", "no valid token"),
        ]
    )
    func badCommand(text: String, hint: String) async throws {
        let server = try TokenServer(accepting: "a")
        let cli = try CommandLineClient(["--base-url", server.url])
        let program = try program(text, in: cli.home)
        let outcome = try await cli.run("salons", "--token-command", "'\(program)'")
        #expect(outcome.code == 77 && outcome.errors.contains(hint), "\(outcome)")
        #expect(!outcome.errors.contains("s3cret") && server.tokens.isEmpty)
        // The second URL has no list of salons, so the booking is the first request.
        for url in ["--base-url=\(server.url)", "--appointments-url=\(server.url)/a"] {
            let words = [url, "--token-command", "'\(program)'", "--json"]
            let booked = try await CommandLineClient().book("12:00", words)
            #expect(booked.code == 77, "\(booked)")
            #expect(try booked.error().required("code").integer() == 1_005)
            #expect(!booked.errors.contains("s3cret") && server.tokens.isEmpty)
        }
        let doctor = try await cli.run("doctor", "--token-command", "'\(program)'")
        let check = doctor.lines.first { $0.hasPrefix("fail  token ") }
        #expect(check?.contains(hint) == true && !doctor.output.contains("s3cret"))
    }

    @Test("no secret appears in results, in the trace, on standard error, or in a file")
    func hidden() async throws {
        let server = try TokenServer(accepting: Self.token)
        let directory = try TemporaryDirectory()
        let trace = directory.path + "/trace"
        let environment = ProcessInfo.processInfo.environment
            .merging(["NOVABLEND_TOKEN": Self.token]) { $1 }
        let child = try ChildProcess(
            Binaries.novablend,
            [
                "serve", "--base-url", server.url, "--trace", trace, "--cache-dir",
                directory.path + "/cache", "--state-dir", directory.path + "/state",
            ],
            environment: environment
        )
        for (id, method) in ["salons/list", "cache/status", "rpc.discover"].enumerated() {
            child.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n")
        }
        child.endInput()
        let output = await child.remainingOutput()
        #expect(output.split(separator: "\n").count == 3)
        #expect(server.tokens == [Self.token])
        let written = try String(contentsOfFile: trace, encoding: .utf8)
        for text in [output, written, child.standardError()] { #expect(!text.contains("s3cret")) }
        for folder in ["cache", "state"] {
            let found = FileManager.default.enumerator(atPath: directory.path + "/" + folder)
            for case let name as String in found ?? .init() {
                let path = "\(directory.path)/\(folder)/\(name)"
                let bytes = FileManager.default.contents(atPath: path) ?? Data()
                #expect(!String(decoding: bytes, as: UTF8.self).contains("s3cret"), "\(name)")
            }
        }
    }

    @Test("user info in a URL is a configuration error, and the error does not contain it")
    func userInfo() async throws {
        let url = "http://user:s3cret@127.0.0.1:9"
        let cli = try CommandLineClient()
        let config = cli.home.path + "/config"
        try write("menu-url = \(url)\n", to: config)
        for words in [
            ["--base-url", url], ["--appointments-url", url + "/a"], ["--config", config],
            ["--base-url", "http://127.0.0.1:9", "--proxy", url],
            ["--base-url", "http://s3cret@127.0.0.1:9"],
        ] {
            for command in ["salons", "serve", "doctor"] {
                let outcome = try await cli.run([command] + words)
                #expect(outcome.code == 78, "\(words): \(outcome)")
                #expect(outcome.errors.contains("user name or password"))
                #expect(!(outcome.errors + outcome.output).contains("s3cret"))
            }
        }
    }

    @Test("a token for an http URL on a different host is a configuration error")
    func plainHTTP() async throws {
        let cli = try CommandLineClient(["--base-url", "http://salons.example"])
        let environment = ["NOVABLEND_TOKEN": "a"]
        let outcome = try await cli.run(["salons"], environment: environment)
        #expect(outcome.code == 78 && outcome.errors.contains("http://salons.example"))
    }

    @Test("doctor reports 401 and 403, and says what to do")
    func doctor() async throws {
        let rejecting = try TokenServer(accepting: "a")
        let missing = try await CommandLineClient(["--base-url", rejecting.url]).run("doctor")
        #expect(missing.code == 1 && missing.line(0).contains("401"))
        #expect(missing.line(0).contains("NOVABLEND_TOKEN"))
        let forbidding = try TokenServer(accepting: "a", rejection: "403 Forbidden")
        let forbidden = try await CommandLineClient(["--base-url", forbidding.url]).run("doctor")
        #expect(forbidden.line(0).contains("403") && forbidden.line(0).contains("--profile"))
    }
}
