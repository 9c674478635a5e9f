import CommandLineKit
import SystemSupport
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
        #expect(invocation.command.name == "list" && invocation[Library.limit] == 3)
        #expect(invocation.has(Library.readOnly) && invocation[Library.query] == "x")
        #expect(!invocation.has(Library.order) && invocation[Library.book] == nil)
    }

    @Test("Words after -- are arguments, and the last of two values is used")
    func dashes() throws {
        let invocation = try Library.invocation([
            "list", "--limit", "3", "--limit", "4", "--", "-h",
        ])
        #expect(invocation[Library.query] == "-h" && invocation[Library.limit] == 4)
        #expect(try Library.invocation(["list", "-"])[Library.query] == "-")
    }

    @Test("An optional argument and an optional value may be omitted")
    func optional() throws {
        let plain = try Library.invocation(["list", "--export", "x"])
        #expect(plain.has(Library.export) && plain[Library.export] == nil)
        #expect(plain[Library.query] == "x")
        #expect(try Library.invocation(["list", "--export=f"])[Library.export] == "f")
        for words in [["list", "--export="], ["--export", "list"]] {
            let invocation = try Library.invocation(words)
            #expect(invocation.has(Library.export) && invocation[Library.export] == nil)
        }
        #expect(try Library.invocation(["list"])[Library.query] == nil)
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

    @Test("Text must be UTF-8, and a path may have any bytes")
    func encoding() throws {
        let invalid = String(systemBytes: [0x61, 0xFF])
        let path = try Library.invocation(["list", "--export=" + invalid])[Library.export]
        #expect(path == invalid)
        for words in [["list", invalid], ["lend", "a", "--phone", invalid]] {
            let error = commandError { _ = try Library.parse(words) }
            #expect(error?.exitCode == .usage && error?.message.hasSuffix(" must be UTF-8") == true)
        }
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
        #expect(try Library.invocation(words)[Library.version] == 3)
    }

    @Test("A command with two words is found, also with options before and between them")
    func groups() throws {
        for words in [
            ["book", "add", "x"], ["--read-only", "book", "--copies", "2", "add", "x"],
        ] {
            guard case .run(let invocation) = try CommandLineParser(Archive.program).parse(words)
            else { throw CommandError(.failure, "\(words) runs nothing") }
            #expect(invocation.command.name == "book add" && invocation[Archive.title] == "x")
        }
    }

    @Test(
        "Without a command, the default command runs with its options",
        arguments: [[], ["--copies", "2"], ["--copies=2", "--read-only"], ["serve"]]
    )
    func defaultCommand(words: [String]) throws {
        guard case .run(let invocation) = try CommandLineParser(Archive.program).parse(words)
        else { throw CommandError(.failure, "\(words) runs nothing") }
        #expect(invocation.command.name == "serve")
    }

    @Test(
        "A wrong command of a program with groups and a default command is rejected",
        arguments: [
            (["bok", "add"], "unknown command bok; did you mean book?", ""),
            (["book", "ad"], "unknown command book ad; did you mean add?", " book"),
            (
                ["book", "add", "x", "y", "z"],
                "too many arguments: book add takes only TITLE NEXT",
                " book add"
            ),
            (["book"], "missing command after book", " book"),
            (["book", "--read-only"], "missing command after book", " book"),
            (["add"], "unknown command add", ""),
            (["--copis", "2"], "unknown option --copis; did you mean --copies?", " serve"),
            (["--copies", "2", "srve"], "unknown command srve; did you mean serve?", ""),
        ]
    )
    func wrongGroup(words: [String], message: String, topic: String) {
        let error = commandError { _ = try CommandLineParser(Archive.program).parse(words) }
        #expect(error?.message == message)
        #expect(error?.suggestions == ["archive\(topic) --help"])
    }

    @Test(
        "Help of a group or of a command in it is requested in any order",
        arguments: [
            (["help", "book"], nil), (["book", "--help"], nil), (["--help", "book"], nil),
            (["help", "book", "add"], "book add"), (["book", "add", "-h"], "book add"),
            (["book", "-h", "add"], "book add"),
        ] as [([String], String?)]
    )
    func groupHelp(words: [String], topic: String?) throws {
        switch try CommandLineParser(Archive.program).parse(words) {
        case .groupHelp(let group): #expect(topic == nil && group == "book")
        case .help(let command): #expect(topic != nil && command?.name == topic)
        default: Issue.record("no help")
        }
    }
}
