import CommandLineKit
import NovaBlendAccounts
import NovaBlendConfiguration
import Testing

@testable import NovaBlendCommands

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
        max-response = 7
        [ profile  home ]
        base-url = https://c.example
        """

    private func configuration(
        _ words: String...,
        environment: String? = nil,
        text: String = text
    ) throws -> Configuration {
        try Settings(
            try invocation(["salons"] + words),
            file: try configurationFile(text),
            environment: Environment(profile: environment)
        ).configuration(sandbox: nil)
    }

    @Test("is by default the profile of the keys above the first section")
    func none() throws {
        for plain in [try configuration(), try configuration("--profile", "default")] {
            #expect(plain.profile == "default" && plain.isReadOnly)
            #expect(plain.endpoints.salons == "https://a.example/salons")
            #expect(plain.maximumResponseBytes == 64 << 20)
        }
    }

    @Test("inherits and can override the keys that do not depend on the server")
    func inheritance() throws {
        let work = try configuration("--profile", "work")
        #expect(work.profile == "work" && !work.isReadOnly && work.certificateFile == "/ca")
        #expect(work.cacheDirectory == "/c" && work.maximumResponseBytes == 7)
        #expect(work.endpoints.salons == nil)
        #expect(work.endpoints.appointments == "https://b.example/a")
        #expect(work.account != (try configuration()).account)
    }

    @Test("is selected by the command line, otherwise by the environment")
    func selection() throws {
        #expect(try configuration(environment: "home").profile == "home")
        #expect(try configuration("--profile", "work", environment: "home").profile == "work")
        let default_ = try configuration("--profile", "default", environment: "home")
        #expect(default_.endpoints.salons == "https://a.example/salons")
    }

    @Test("that does not exist is a configuration error that suggests the closest name")
    func unknown() {
        for body in [
            { () throws in _ = try configuration("--profile", "wrok") },
            { () throws in _ = try configuration(environment: "wrok") },
        ] {
            let error = commandError(of: body)
            #expect(error?.exitCode == .configuration)
            #expect(error?.message == "no profile wrok in f; did you mean work?")
            #expect(error?.suggestions.contains("--profile home") == true)
        }
    }

    @Test("that is named without a file or has an empty name is an error")
    func noFile() throws {
        #expect(
            commandError { _ = try configuration("--profile", "x", text: "") }?.exitCode
                == .configuration
        )
        #expect(commandError { _ = try configuration("--profile", "") }?.exitCode == .usage)
    }

    @Test("can set the same keys as the default profile")
    func both() throws {
        let text = "read-only = true\nsalons-url = http://a\n[profile x]\nsalons-url = http://b"
        #expect(try configuration(text: text).endpoints.salons == "http://a")
        #expect(try configuration("--profile", "x", text: text).endpoints.salons == "http://b")
    }
}
