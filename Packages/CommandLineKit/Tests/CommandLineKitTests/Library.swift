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

    static let server = Option("server", .url(), "the server")
    static let cache = Option("cache", .absoluteDirectory, "the cache")
    static let timeout = Option("timeout", .seconds(upTo: 60), "how long to wait")
    static let readOnly = Option("read-only", "change nothing")

    static let connection = OptionGroup(
        "Connection",
        [
            server,
            Option("proxy", .url(schemes: ["socks5"], or: "environment"), "the proxy"),
            cache, timeout, readOnly,
        ]
    )

    enum Order: String, CaseIterable { case title, author, year }

    static let query = Argument("QUERY", .text("QUERY"), isRequired: false, "a part of the title")
    static let limit = Option("limit", .integer(1...Int.max), "the most to list")
    static let order = Option("order", .choice(Order.self, "ORDER"), "the order")
    static let export = Option("export", .file, isValueOptional: true, "export as a file")

    private static let list = Command(
        "list",
        "list books",
        arguments: [query],
        options: [limit, order, export],
        optionGroups: [connection],
        examples: [.init("library list --limit 3", "a few books")],
        footnote: "See also lend.",
        run: { _, _ in .success }
    )

    static let book = Argument("BOOK", .text("BOOK"), "the book")
    static let phone = Option("phone", .text("PHONE"), isRequired: true, "the reader's phone")
    static let version = Option("version", .integer(0...9), "the edition")

    private static let lend = Command(
        "lend",
        "lend a book",
        details: ["It is lent for four weeks."],
        arguments: [
            book,
            Argument("ACTION", .choice(["start", "end"]), isRequired: false, "what to do"),
        ],
        options: [
            phone, version,
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
