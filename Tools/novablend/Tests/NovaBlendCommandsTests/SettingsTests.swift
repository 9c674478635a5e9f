import CommandLineKit
import JSONRPC
import NovaBlendAccounts
import NovaBlendConfiguration
import Testing

@testable import NovaBlendCommands

@Suite("Settings")
struct SettingsTests {
    private func settings(_ words: [String], file: String = "") throws -> Settings {
        try Settings(try invocation(words), file: try configurationFile(file))
    }

    @Test("on the command line take precedence, and a typed server replaces the file's")
    func precedence() throws {
        let file =
            "base-url = http://a.example\nmenu-url = http://b.example\ncache-dir = /c\n"
            + "state-dir = /s"
        let plain = try settings(["salons"], file: file).configuration(sandbox: nil)
        #expect(plain.endpoints.salons == "http://a.example/salons" && plain.cacheDirectory == "/c")
        #expect(plain.endpoints.lists["menu"] == "http://b.example")
        let other = ["salons", "--base-url", "http://c.example", "--cache-dir", "/d"]
        let typed = try settings(other, file: file).configuration(sandbox: nil)
        #expect(typed.endpoints.salons == "http://c.example/salons" && typed.cacheDirectory == "/d")
        let sandbox = try settings(["salons", "--sandbox"], file: file)
        #expect(sandbox.isSandbox)
        #expect(try sandbox.configuration(sandbox: nil).endpoints.lists.isEmpty)
        let replaced = try settings(other, file: "sandbox = true")
        #expect(!replaced.isSandbox)
    }

    @Test("with both --sandbox and --base-url are rejected")
    func contradiction() {
        let words = ["salons", "--sandbox", "--base-url", "http://a"]
        #expect(commandError { _ = try settings(words) }?.exitCode == .usage)
        let file = "sandbox = true\nbase-url = http://a"
        #expect(
            commandError { _ = try settings(["salons"], file: file) }?.exitCode == .configuration
        )
    }

    @Test("in the file may include the options of any command, except --config and --profile")
    func keys() throws {
        let file = "framing = lines\nmax-message = 9\ntrace = /t\ncache-dir = /c\nstate-dir = /s"
        let settings = try settings(["salons"], file: file)
        #expect(settings.framing == .lines && settings.traceFile == "/t")
        #expect(settings.limits.maximumMessageBytes == 9)
        for key in ["config = /x", "profile = x"] {
            let error = commandError { _ = try self.settings(["salons"], file: key) }
            #expect(error?.message.hasPrefix("f:1: unknown key") == true)
        }
    }

    @Test("are inherited by a profile, except URLs and credentials")
    func inheritance() throws {
        let file =
            "base-url = https://a\ntoken-file = /t\nframing = lines\nread-only = true\n"
            + "cache-dir = /c\nstate-dir = /s\n[profile x]"
        let settings = try settings(["salons", "--profile", "x"], file: file)
        let configuration = try settings.configuration(sandbox: nil)
        #expect(configuration.isReadOnly && settings.framing == .lines)
        #expect(configuration.endpoints.salons == nil && configuration.credentials.token == nil)
    }
}
