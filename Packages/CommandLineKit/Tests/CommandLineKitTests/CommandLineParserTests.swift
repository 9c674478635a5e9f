import CommandLineKit
import Testing

@Suite("Command line")
struct CommandLineParserTests {
    @Test(
        "Options may come before or after the command, with a space or an equals sign",
        arguments: [
            ["--limit", "3", "--read-only", "list", "x"],
            ["list", "--limit=3", "x", "--read-only"],
            ["--read-only", "--limit=3", "list", "x"],
        ]
    )
    func options(words: [String]) throws {
        let invocation = try Library.invocation(words)
        #expect(invocation.command.name == "list" && invocation.option("limit") == "3")
        #expect(invocation.has("read-only") && invocation.argument("QUERY") == "x")
        #expect(!invocation.has("order") && invocation.argument("OTHER") == nil)
    }

    @Test("Words after -- are arguments, and the last of two values is used")
    func dashes() throws {
        let invocation = try Library.invocation([
            "list", "--limit", "3", "--limit", "4", "--", "-h",
        ])
        #expect(invocation.argument("QUERY") == "-h" && invocation.option("limit") == "4")
        #expect(try Library.invocation(["list", "-"]).argument("QUERY") == "-")
    }

    @Test("An optional argument and an optional value may be omitted")
    func optional() throws {
        let plain = try Library.invocation(["list", "--export", "x"])
        #expect(plain.option("export") == "" && plain.argument("QUERY") == "x")
        #expect(try Library.invocation(["list", "--export=f"]).option("export") == "f")
        #expect(try Library.invocation(["list", "--export="]).option("export") == "")
        #expect(try Library.invocation(["--export", "list"]).has("export"))
        #expect(try Library.invocation(["list"]).argument("QUERY") == nil)
    }

    @Test(
        "A command line that is not valid is rejected as wrong usage",
        arguments: [
            (["lsit"], "unknown command lsit; did you mean list?"),
            (["zzzzz"], "unknown command zzzzz"),
            (["list", "--lmit", "3"], "unknown option --lmit; did you mean --limit?"),
            (["list", "-l"], "unknown option -l"),
            (["list", "--limit"], "--limit requires a value"),
            (["list", "--limit="], "--limit must be a whole number of at least 1"),
            (["list", "--read-only=1"], "--read-only does not take a value"),
            (["lend"], "missing BOOK: the book"),
            (["lend", "a"], "lend requires --phone PHONE"),
            (["lend", "a", "throw", "--phone", "1"], "ACTION must be start or end"),
            (["list", "a", "b"], "too many arguments: list takes only QUERY"),
            (["man", "a"], "too many arguments: man takes no arguments"),
            (["--read-only"], "missing command"),
        ]
    )
    func wrong(words: [String], message: String) {
        let error = commandError { _ = try Library.parse(words) }
        #expect(error?.exitCode == .usage && error?.message == message)
        let topic = Library.program.commands.first { $0.name == words[0] }.map { " \($0.name)" }
        #expect(error?.suggestions == ["library\(topic ?? "") --help"])
    }

    @Test("An error does not repeat a value, which may be secret")
    func privacy() {
        for words in [
            ["lend", "a", "start", "+4930"], ["lend", "a", "--phon=+4930"],
            ["list", "--limit", "+4930x"], ["lend", "a", "+4930", "--phone", "1"],
        ] {
            let text = commandError { _ = try Library.parse(words) }?.lines.joined() ?? ""
            #expect(!text.isEmpty && !text.contains("4930"), "\(text)")
        }
    }

    @Test(
        "Help is requested with --help, -h, or help in any position",
        arguments: [
            (["--help"], nil), ([], nil), (["-h"], nil), (["help"], nil), (["help", "-h"], nil),
            (["help", "help"], nil), (["help", "lend"], "lend"), (["lend", "--help"], "lend"),
            (["--help", "lend"], "lend"), (["lend", "-h", "x"], "lend"),
        ] as [([String], String?)]
    )
    func help(words: [String], topic: String?) throws {
        guard case .help(let command) = try Library.parse(words) else {
            Issue.record("no help")
            return
        }
        #expect(command?.name == topic)
    }

    @Test("--version requests the version, unless the command has an option of that name")
    func version() throws {
        for words in [["--version"], ["list", "--version"]] {
            guard case .version = try Library.parse(words) else {
                Issue.record("no version")
                return
            }
        }
        let words = ["lend", "x", "--phone", "1", "--version", "3"]
        #expect(try Library.invocation(words).option("version") == "3")
    }
}
