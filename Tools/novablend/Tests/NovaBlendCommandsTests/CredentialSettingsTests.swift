import CommandLineKit
import NovaBlendAccounts
import NovaBlendConfiguration
import Testing

@testable import NovaBlendCommands

@Suite("The settings of credentials and connections")
struct CredentialSettingsTests {
    private func configuration(
        _ words: [String],
        file: String = "",
        token: String? = nil
    ) throws -> Configuration {
        try Settings(
            try invocation(["salons"] + words),
            file: try configurationFile("cache-dir = /c\nstate-dir = /s\n" + file),
            environment: Environment(token: token)
        ).configuration(sandbox: nil)
    }

    private func error(
        _ words: [String],
        file: String = "",
        token: String? = nil
    ) -> CommandError? {
        commandError { _ = try configuration(words, file: file, token: token) }
    }

    @Test("prefer a typed token over the environment's, and the environment's over the file's")
    func precedence() throws {
        let file = "token-command = pass 'my server'\nclient-certificate = /c\nclient-key = /k"
        let plain = try configuration([], file: file)
        #expect(plain.credentials.token == .command(["pass", "my server"]))
        #expect(plain.credentials.source == "token-command, client-certificate /c")
        let environment = try configuration([], file: file, token: "a")
        #expect(environment.credentials.source == "NOVABLEND_TOKEN, client-certificate /c")
        let typed = try configuration(
            ["--token-file", "t", "--client-certificate", "/d"],
            file: file,
            token: "a"
        )
        #expect(typed.credentials == Credentials(token: .file("t"), certificateFile: "/d"))
        #expect(try configuration([]).credentials.source == "none")
    }

    @Test(
        "from the file are used only for the file's servers",
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

    @Test("from a file without a server are used for a typed server, but not for the sandbox")
    func noServer() throws {
        let words = ["--base-url", "https://c.example"]
        let typed = try configuration(words, file: "token-file = /t").credentials
        #expect(typed.token == .file("/t"))
        #expect(try configuration(["--sandbox"], token: "a").credentials.token == nil)
    }

    @Test(
        "that are invalid cause a configuration error that does not show the secret",
        arguments: [
            (["--token-file", "/t", "--token-command", "x"], "cannot be combined"),
            (["--token-command", "pass 's3cret"], "a quote is not closed"),
            (["--token-command", "  "], "is empty"),
            (["--client-key", "/k"], "client-key requires client-certificate"),
            (["--base-url", "https://user:s3cret@a.example"], "base-url contains a user name"),
            (["--menu-url", "https://s3cret@a.example"], "menu-url contains a user name"),
            (["--menu-url", "https://u:s3cret@\u{301}a.example"], "menu-url contains a user name"),
            (["--proxy", "socks5://u:s3cret@a.example"], "proxy contains a user name"),
            (["--token-file", "/t", "--base-url", "http://a.example"], "http://a.example is not"),
            (["--token-file", "/t", "--menu-url", "http://a.example/s3cret"], "is not encrypted"),
        ]
    )
    func wrong(words: [String], reason: String) {
        let error = error(words)
        #expect(error?.exitCode == .configuration && error?.message.contains(reason) == true)
        #expect(error?.lines.joined().contains("s3cret") == false)
    }

    @Test("reject an environment variable that is not a token, without showing it")
    func environment() {
        let error = error([], token: "s3cret token")
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains("NOVABLEND_TOKEN") == true)
        #expect(error?.lines.joined().contains("s3cret") == false)
    }

    @Test("allow an @ that is not user info, and a token over http on this machine")
    func allowed() {
        for url in ["https://a.example/@b", "https://a.example?x=u@b", "http://127.0.0.1:80"] {
            #expect(error(["--base-url", url], token: "a") == nil, "\(url)")
        }
        #expect(error(["--base-url", "http://a.example"]) == nil)
    }

    @Test("set the proxy and the trusted certificates")
    func connection() throws {
        #expect(try configuration([]).proxy == .none)
        #expect(try configuration(["--proxy", "environment"]).proxy == .environment)
        let url = "http://proxy.example:3128"
        let set = try configuration([], file: "proxy = \(url)\nca-directory = /certs")
        #expect(set.proxy == .url(url) && set.certificateDirectory == "/certs")
        #expect(error(["--proxy", "proxy.example"])?.exitCode == .usage)
        #expect(error(["--ca-directory", "certs"])?.exitCode == .usage)
    }

    @Test(
        "accept a soft deadline in seconds, 2 by default",
        arguments: [
            (nil, 2_000), ("0", 0), ("0.5", 500), ("0.0004", 0), ("3600", 3_600_000), ("2.", 2_000),
        ] as [(String?, Int)]
    )
    func softDeadline(typed: String?, milliseconds: Int) throws {
        let words = typed.map { ["--soft-deadline", $0] } ?? []
        #expect(try configuration(words).softDeadline == .milliseconds(milliseconds))
    }

    @Test("accept a timeout in whole seconds, 20 by default")
    func timeout() throws {
        for (typed, seconds) in [(nil, 20), ("1", 1), ("3600", 3_600)] as [(String?, Int)] {
            let words = typed.map { ["--timeout", $0] } ?? []
            #expect(try configuration(words).callTimeout == .seconds(seconds))
        }
        for typed in ["0", "-1", "0.5", "3601", "1s"] {
            #expect(error(["--timeout", typed])?.exitCode == .usage)
        }
    }

    @Test(
        "reject an invalid soft deadline",
        arguments: ["", ".5", "-1", "3600.1", "inf", "nan", "0x1", "1e2", "1.2.3", "1s"]
    )
    func noSoftDeadline(typed: String) {
        #expect(error(["--soft-deadline", typed])?.exitCode == .usage)
    }
}
