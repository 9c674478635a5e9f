import NovaBlendAccounts
import NovaBlendConfiguration
import Testing

@testable import NovaBlendCommand

@Suite("The settings of credentials and connections")
struct CredentialSettingsTests {
    private func configuration(
        _ words: [String],
        file: String = "",
        token: String? = nil
    ) throws -> Configuration {
        guard case .run(let invocation) = try CommandLineParser().parse(["salons"] + words) else {
            throw CommandFailure(.failed, "no command is run")
        }
        return try Settings(
            invocation,
            file: try ConfigurationFile("cache-dir = /c\nstate-dir = /s\n" + file, path: "f"),
            environment: Environment(token: token)
        ).configuration(sandbox: nil)
    }

    private func failure(
        _ words: [String],
        file: String = "",
        token: String? = nil
    ) -> CommandFailure? {
        do { _ = try configuration(words, file: file, token: token) } catch {
            return error as? CommandFailure
        }
        return nil
    }

    @Test("name where the token comes from: what is typed, then the environment, then the file")
    func precedence() throws {
        let file = "token-command = pass 'my server'\nclient-certificate = /c\nclient-key = /k"
        let plain = try configuration([], file: file)
        #expect(plain.credentials.token == .command(["pass", "my server"]))
        #expect(plain.credentialSource == "token-command, client-certificate /c")
        let environment = try configuration([], file: file, token: "a")
        #expect(environment.credentialSource == "NOVABLEND_TOKEN, client-certificate /c")
        let typed = try configuration(
            ["--token-file", "t", "--client-certificate", "/d"],
            file: file,
            token: "a"
        )
        #expect(typed.credentials == Credentials(token: .file("t"), certificateFile: "/d"))
        #expect(try configuration([]).credentialSource == "none")
    }

    @Test(
        "of the file are for the servers of the file alone",
        arguments: [
            (["--base-url", "https://a.example/other"], true),
            (["--menu-url", "https://b.example:443"], true),
            (["--base-url", "https://c.example"], false),
            (["--menu-url", "http://a.example"], false),
            (["--base-url", "https://a.example", "--menu-url", "https://c.example"], false),
            (["--sandbox"], false), (["--cache-dir", "/x"], true),
        ]
    )
    func servers(words: [String], isUsed: Bool) throws {
        let file =
            "base-url = https://a.example\nsalons-url = https://b.example/s\n"
            + "token-file = /t\nclient-certificate = /c\nclient-key = /k"
        let credentials = try configuration(words, file: file).credentials
        #expect(credentials.token == (isUsed ? .file("/t") : nil))
        #expect(credentials.certificateFile == (isUsed ? "/c" : nil))
        #expect(credentials.keyFile == (isUsed ? "/k" : nil))
    }

    @Test("of a file without a server are for the server that is typed; the sandbox gets none")
    func noServer() throws {
        let words = ["--base-url", "https://c.example"]
        let typed = try configuration(words, file: "token-file = /t").credentials
        #expect(typed.token == .file("/t"))
        #expect(try configuration(["--sandbox"], token: "a").credentials.token == nil)
    }

    @Test(
        "that cannot be used are a configuration error that shows no secret",
        arguments: [
            (["--token-file", "/t", "--token-command", "x"], "exclude each other"),
            (["--token-command", "pass 's3cret"], "quote that is not closed"),
            (["--token-command", "  "], "quote that is not closed"),
            (["--client-key", "/k"], "client-key needs client-certificate"),
            (["--base-url", "https://user:s3cret@a.example"], "base-url has a user name"),
            (["--menu-url", "https://s3cret@a.example"], "menu-url has a user name"),
            (["--proxy", "socks5://u:s3cret@a.example"], "proxy has a user name"),
            (["--token-file", "/t", "--base-url", "http://a.example"], "http://a.example is not"),
            (["--token-file", "/t", "--menu-url", "http://a.example/s3cret"], "is not encrypted"),
        ]
    )
    func wrong(words: [String], reason: String) {
        let failure = failure(words)
        #expect(failure?.exit == .configuration && failure?.happened.contains(reason) == true)
        #expect(failure?.lines.joined().contains("s3cret") == false)
    }

    @Test("reject an environment variable that is no token, without showing it")
    func environment() {
        let failure = failure([], token: "s3cret token")
        #expect(failure?.exit == .configuration)
        #expect(failure?.happened.contains("NOVABLEND_TOKEN") == true)
        #expect(failure?.lines.joined().contains("s3cret") == false)
    }

    @Test("allow an @ that is no user info, and a token over http on this machine")
    func allowed() {
        for url in ["https://a.example/@b", "https://a.example?x=u@b", "http://127.0.0.1:80"] {
            #expect(failure(["--base-url", url], token: "a") == nil, "\(url)")
        }
        #expect(failure(["--base-url", "http://a.example"]) == nil)
    }

    @Test("name the proxy, the certificates to trust, and the soft deadline")
    func connection() throws {
        #expect(try configuration([]).proxy == .none)
        #expect(try configuration(["--proxy", "environment"]).proxy == .environment)
        let url = "http://proxy.example:3128"
        let set = try configuration([], file: "proxy = \(url)\nca-directory = /certs")
        #expect(set.proxy == .url(url) && set.certificateDirectory == "/certs")
        #expect(failure(["--proxy", "proxy.example"])?.exit == .usage)
        #expect(failure(["--ca-directory", "certs"])?.exit == .usage)
    }

    @Test(
        "take a soft deadline in seconds, 2 unless said otherwise",
        arguments: [
            (nil, 2_000), ("0", 0), ("0.5", 500), ("0.0004", 0), ("3600", 3_600_000), ("2.", 2_000),
        ] as [(String?, Int)]
    )
    func softDeadline(typed: String?, milliseconds: Int) throws {
        let words = typed.map { ["--soft-deadline", $0] } ?? []
        #expect(try configuration(words).softDeadlineMilliseconds == milliseconds)
    }

    @Test(
        "reject a soft deadline that is none",
        arguments: ["", ".5", "-1", "3600.1", "inf", "nan", "0x1", "1e2", "1.2.3", "1s"]
    )
    func noSoftDeadline(typed: String) {
        #expect(failure(["--soft-deadline", typed])?.exit == .usage)
    }
}
