import CommandLineKit

/// A program that uses every feature of a description.
enum Library {
    static let program = Program(
        name: "library",
        version: "1.2",
        summary: "lend books",
        description: ["Every book is lent once."],
        commands: [list, lend, Program.completionsCommand(), Program.manualCommand()],
        configurationFile: .init("$XDG_CONFIG_HOME/library/config", "Lines of key = value."),
        files: [.init("/var/library", "The catalog.")],
        environment: [.init("LIBRARY_TOKEN", "The token")],
        exitCodes: [(.success, "done"), (.usage, "wrong usage")],
        examples: [.init("library list Swift", "look for books")]
    )

    static let connection = OptionGroup(
        "Connection",
        [
            Option("server", .url(), "the server"),
            Option("proxy", .url(schemes: ["socks5"], or: "environment"), "the proxy"),
            Option("cache", .absoluteDirectory, "the cache"),
            Option("timeout", .seconds(upTo: 60), "how long to wait"),
            Option("read-only", "change nothing"),
        ]
    )

    private static let list = Command(
        "list",
        "list books",
        arguments: [Argument("QUERY", .text("QUERY"), isRequired: false, "a part of the title")],
        options: [
            Option("limit", .integer(1...Int.max), "the most to list"),
            Option("order", .choice(["title", "author", "year"], "ORDER"), "the order"),
            Option("export", .file, isValueOptional: true, "export as a file"),
        ],
        optionGroups: [connection],
        examples: [.init("library list --limit 3", "a few books")],
        footnote: "See also lend.",
        run: { _, _ throws(CommandError) in .success }
    )

    private static let lend = Command(
        "lend",
        "lend a book",
        details: ["It is lent for four weeks."],
        arguments: [
            Argument("BOOK", .text("BOOK"), "the book"),
            Argument("ACTION", .choice(["start", "end"]), isRequired: false, "what to do"),
        ],
        options: [
            Option("phone", .text("PHONE"), isRequired: true, "the reader's phone"),
            Option("version", .integer(0...9), "the edition"),
        ],
        optionGroups: [connection],
        run: { invocation, terminal throws(CommandError) in
            throw CommandError(.failure, "lent already")
        }
    )

    static func parse(_ words: [String]) throws(CommandError) -> CommandLineParser.Request {
        try CommandLineParser(program).parse(words)
    }

    static func invocation(_ words: [String]) throws -> Invocation {
        guard case .run(let invocation) = try parse(words) else {
            throw CommandError(.failure, "\(words) runs nothing")
        }
        return invocation
    }
}

/// The error that `body` throws.
func commandError(of body: () throws -> Void) -> CommandError? {
    do { try body() } catch { return error as? CommandError }
    return nil
}
