import Testing

@testable import NovaBlendCommand

@Suite("A command line")
struct CommandLineParserTests {
    private func failure(_ words: [String]) -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try CommandLineParser().parse(words)
            return nil
        } catch {
            return error
        }
    }

    private func invocation(_ words: String...) throws -> Invocation {
        guard case .run(let invocation) = try CommandLineParser().parse(words) else {
            throw CommandFailure(.failed, "no command is run")
        }
        return invocation
    }

    @Test("has its options before or behind the command, with a space or an equals sign")
    func options() throws {
        for words in [
            ["--limit", "3", "--sandbox", "salons", "x"],
            ["salons", "--limit=3", "x", "--sandbox"],
        ] {
            guard case .run(let invocation) = try CommandLineParser().parse(words) else {
                Issue.record("\(words) runs nothing")
                continue
            }
            #expect(invocation.command.name == "salons" && invocation.option("limit") == "3")
            #expect(invocation.has("sandbox") && invocation.argument("QUERY") == "x")
        }
    }

    @Test("takes what follows -- as it is, and the last of two values")
    func dashes() throws {
        let found = try invocation("salons", "--limit", "3", "--limit", "4", "--", "--help")
        #expect(found.argument("QUERY") == "--help" && found.option("limit") == "4")
    }

    @Test(
        "that is wrong is refused as usage, and the reason is said",
        arguments: [
            (["bok"], "did you mean book?"), (["salons", "--lmit", "3"], "did you mean --limit?"),
            (["salons", "--limit"], "--limit takes a value"),
            (["salons", "--limit", "0"], "a number from 1"),
            (["salons", "--limit", "many"], "a number from 1"),
            (["salons", "--policy", "x"], "remoteFirst, cacheOnly, cacheFirst or stale"),
            (["salons", "--json=1"], "--json takes no value"),
            (["salons", "--cache-dir", "here"], "an absolute path"),
            (["salons", "--base-url", "salons.example"], "--base-url takes a URL like https://"),
            (["salons", "--base-url", "http://"], "takes a URL"),
            (["serve", "--menu-url", "ftp://a.example/menu"], "--menu-url takes a URL"),
            (["slots"], "SALON is missing"), (["slots", "a", "b"], "no more"),
            (["cache", "eat"], "ACTION takes status, validate or clear"),
            (["book", "a", "b"], "needs --phone PHONE"), (["--sandbox"], "no command"),
            (["serve", "--max-message", "0"], "a number from 1 to 1073741824"),
            (["salons", "--max-answer", "2g"], "a number from 1 to 1073741824"),
            (["serve", "--framing", "xml"], "auto, headers or lines"), (["zzz"], "no command zzz"),
        ]
    )
    func wrong(words: [String], reason: String) {
        let failure = failure(words)
        #expect(failure?.exit == .usage && failure?.happened.contains(reason) == true)
    }

    @Test("never has a value repeated, which may be a phone number")
    func privacy() {
        for words in [
            ["book", "a", "b", "+49301234567"], ["book", "a", "b", "--phon=+49301234567"],
            ["salons", "--limit", "+49301234567x"],
        ] {
            let text = failure(words)?.lines.joined() ?? ""
            #expect(!text.isEmpty && !text.contains("4930"), "\(text)")
        }
    }

    @Test("asks for help or for the version in every place")
    func help() throws {
        for words in [["--help"], [], ["-h"], ["help"], ["help", "--help"], ["help", "help"]] {
            guard case .help(nil) = try CommandLineParser().parse(words) else {
                Issue.record("\(words)")
                continue
            }
        }
        for words in [
            ["help", "book"], ["book", "--help"], ["--help", "book"], ["book", "-h", "x"],
        ] {
            guard case .help(let command?) = try CommandLineParser().parse(words) else {
                Issue.record("\(words)")
                continue
            }
            #expect(command.name == "book")
        }
        guard case .version = try CommandLineParser().parse(["salons", "--version"]) else {
            Issue.record("no version")
            return
        }
        #expect(try invocation("cancel", "x", "--version", "3").option("version") == "3")
    }
}
