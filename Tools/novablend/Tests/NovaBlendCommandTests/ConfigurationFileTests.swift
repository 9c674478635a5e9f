import NovaBlendAccounts
import NovaBlendConfiguration
import Testing

@testable import NovaBlendCommand

@Suite("A configuration file")
struct ConfigurationFileTests {
    private func invocation(_ words: [String]) throws -> Invocation {
        guard case .run(let invocation) = try CommandLineParser().parse(words) else {
            throw CommandFailure(.failed, "no command is run")
        }
        return invocation
    }

    private func failure(_ body: () throws(CommandFailure) -> Void) -> CommandFailure? {
        do throws(CommandFailure) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test("sets options by their names, with comments, blank lines and spaces around")
    func values() throws {
        let text =
            "# ours\n\n base-url =  https://a.example/x=y \r\nread-only = true\nsandbox=false\n"
        let file = try ConfigurationFile(text, path: "f")
        #expect(
            try file.values(of: "default") == [
                "base-url": "https://a.example/x=y", "read-only": "",
            ]
        )
    }

    @Test(
        "that is wrong is refused with its line",
        arguments: [
            ("base-url", "f:1: a line is key = value"),
            ("\nbase-ur = x", "f:2: there is no base-ur; did you mean base-url?"),
            ("read-only = yes", "f:1: read-only takes true or false"),
            ("cache-dir = here", "f:1: cache-dir takes an absolute path"),
            ("base-url = salons.example", "f:1: base-url takes a URL like https://"),
            ("ca-file =", "f:1: ca-file takes a value that is not empty"),
            ("ca-file = a\nca-file = b", "f:2: ca-file is there twice"),
            ("config = /x", "f:1: there is no config"),
        ]
    )
    func wrong(text: String, reason: String) {
        let failure = failure { () throws(CommandFailure) in
            _ = try ConfigurationFile(text, path: "f")
        }
        #expect(failure?.exit == .configuration && failure?.happened.hasPrefix(reason) == true)
    }

    @Test("gives way to the command line, another remote to all of the one in the file")
    func precedence() throws {
        let file = try ConfigurationFile(
            "base-url = http://a.example\nmenu-url = http://b.example\ncache-dir = /c\nstate-dir = /s",
            path: "f"
        )
        let plain = try Settings(try invocation(["salons"]), file: file)
            .configuration(sandbox: nil)
        #expect(plain.endpoints.salons == "http://a.example/salons" && plain.cacheDirectory == "/c")
        #expect(plain.endpoints.lists["menu"] == "http://b.example")
        let other = ["salons", "--base-url", "http://c.example", "--cache-dir", "/d"]
        let given = try Settings(try invocation(other), file: file).configuration(sandbox: nil)
        #expect(given.endpoints.salons == "http://c.example/salons" && given.cacheDirectory == "/d")
        let sandbox = try Settings(try invocation(["salons", "--sandbox"]), file: file)
        #expect(sandbox.isSandbox)
        #expect(try sandbox.configuration(sandbox: nil).endpoints.lists.isEmpty)
    }

    @Test("and a command line that each ask for two remotes at once are refused")
    func both() throws {
        let words = ["salons", "--sandbox", "--base-url", "http://a"]
        let typed = try invocation(words)
        #expect(
            failure { () throws(CommandFailure) in _ = try Settings(typed, file: .none) }?.exit
                == .usage
        )
        let file = try ConfigurationFile("sandbox = true\nbase-url = http://a", path: "f")
        let plain = try invocation(["salons"])
        #expect(
            failure { () throws(CommandFailure) in _ = try Settings(plain, file: file) }?.exit
                == .configuration
        )
    }
}
