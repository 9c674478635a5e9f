import NovaBlendAccounts
import NovaBlendConfiguration
import Testing

@testable import NovaBlendCommand

@Suite("A profile of the configuration file")
struct ProfileTests {
    private static let text = """
        base-url = https://a.example
        read-only = true
        ca-file = /ca
        cache-dir = /c
        state-dir = /s

        [profile work]
        appointments-url = https://b.example/a
        read-only = false
        max-answer = 7
        [ profile  home ]
        base-url = https://c.example
        """

    private func configuration(
        _ words: String...,
        environment: String? = nil,
        text: String = text
    ) throws -> Configuration {
        guard case .run(let invocation) = try CommandLineParser().parse(["salons"] + words) else {
            throw CommandFailure(.failed, "no command is run")
        }
        return try Settings(
            invocation,
            file: try ConfigurationFile(text, path: "f"),
            environment: Environment(profile: environment)
        ).configuration(sandbox: nil)
    }

    private func failure(_ body: () throws -> Void) -> CommandFailure? {
        do { try body() } catch { return error as? CommandFailure }
        return nil
    }

    @Test("has the keys above the first section unless one is named")
    func none() throws {
        for plain in [try configuration(), try configuration("--profile", "default")] {
            #expect(plain.profile == "default" && plain.isReadOnly)
            #expect(plain.endpoints.salons == "https://a.example/salons")
            #expect(plain.maximumAnswerBytes == 64 << 20)
        }
    }

    @Test("inherits what is the same for every server, and neither URLs nor what it overrides")
    func inheritance() throws {
        let work = try configuration("--profile", "work")
        #expect(work.profile == "work" && !work.isReadOnly && work.certificateFile == "/ca")
        #expect(work.cacheDirectory == "/c" && work.maximumAnswerBytes == 7)
        #expect(work.endpoints.salons == nil)
        #expect(work.endpoints.appointments == "https://b.example/a")
        #expect(work.account != (try configuration()).account)
    }

    @Test("is selected by the command line, then by the environment")
    func selection() throws {
        #expect(try configuration(environment: "home").profile == "home")
        #expect(try configuration("--profile", "work", environment: "home").profile == "work")
        let default_ = try configuration("--profile", "default", environment: "home")
        #expect(default_.endpoints.salons == "https://a.example/salons")
    }

    @Test("that does not exist is a configuration error with the near name")
    func unknown() {
        for body in [
            { () throws in _ = try configuration("--profile", "wrok") },
            { () throws in _ = try configuration(environment: "wrok") },
        ] {
            let failure = failure(body)
            #expect(failure?.exit == .configuration)
            #expect(failure?.happened == "there is no profile wrok in f; did you mean work?")
            #expect(failure?.tries.contains("--profile home") == true)
        }
    }

    @Test("that is named without a file, or with an empty name, is an error")
    func noFile() throws {
        #expect(
            failure { _ = try configuration("--profile", "x", text: "") }?.exit == .configuration
        )
        #expect(failure { _ = try configuration("--profile", "") }?.exit == .usage)
    }

    @Test(
        "that is wrong is refused with its line",
        arguments: [
            ("[work]", "f:1: a section is [profile NAME]"),
            ("[profile]", "f:1: a section is [profile NAME]"),
            ("[profile a b]", "f:1: a section is [profile NAME]"),
            ("[profile a", "f:1: a section is [profile NAME]"),
            ("[profile a/b]", "f:1: the name of a profile has letters"),
            ("[profile default]", "f:1: the keys of the default profile stand above"),
            ("[profile a]\n[profile a]", "f:2: a section for the profile a exists already"),
            ("[profile a]\nread-only = true\nread-only = true", "f:3: read-only is there twice"),
            ("[profile a]\nprofile = b", "f:2: there is no profile"),
        ]
    )
    func wrong(text: String, reason: String) {
        let failure = failure { _ = try configuration(text: text) }
        #expect(failure?.exit == .configuration, "\(failure?.happened ?? "none")")
        #expect(failure?.happened.hasPrefix(reason) == true, "\(failure?.happened ?? "none")")
    }

    @Test("may set what the default profile sets, too")
    func both() throws {
        let text = "read-only = true\nsalons-url = http://a\n[profile x]\nsalons-url = http://b"
        #expect(try configuration(text: text).endpoints.salons == "http://a")
        #expect(try configuration("--profile", "x", text: text).endpoints.salons == "http://b")
    }
}
