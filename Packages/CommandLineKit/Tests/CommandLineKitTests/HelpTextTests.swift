import Testing

@testable import CommandLineKit

@Suite("Help")
struct HelpTextTests {
    private let program = Library.program

    @Test("The help of a program shows each section once, in order")
    func ofProgram() {
        let text = HelpText.text(for: nil, of: program)
        #expect(
            text.hasPrefix(
                """
                Usage: library COMMAND [arguments] [options]

                Lend books.
                Every book is lent once.

                Commands:
                  list          list books
                  lend          lend a book
                  completions   print the completion script for a shell
                  man           print the manual page

                Connection:
                  --server URL            the server

                """
            )
        )
        #expect(
            text.hasSuffix(
                """

                Configuration file:
                  Lines of key = value.

                Environment variables:
                  LIBRARY_TOKEN           The token

                Exit codes:
                  0     done
                  64    wrong usage

                Examples:
                  # look for books
                  library list Swift
                """
            )
        )
        #expect(text.split(separator: "Connection:").count == 2)
    }

    @Test("The help of a command shows its usage, and describes each argument and option")
    func ofCommand() throws {
        let list = try #require(program.commands.first { $0.name == "list" })
        #expect(
            HelpText.text(for: list, of: program) == """
                Usage: library list [QUERY] [--limit N] [--order ORDER] [--export[=FILE]]

                List books.

                Arguments:
                  QUERY                   a part of the title

                Options:
                  --limit N               the most to list
                  --order ORDER           title, author, or year: the order
                  --export[=FILE]         export as a file
                  --help                  show this help

                Connection:
                  --server URL            the server
                  --proxy URL             the proxy
                  --cache DIR             the cache
                  --timeout SECONDS       how long to wait
                  --read-only             change nothing

                Examples:
                  # a few books
                  library list --limit 3

                See also lend.
                """
        )
        let lend = try #require(program.commands.first { $0.name == "lend" })
        let text = HelpText.text(for: lend, of: program)
        #expect(
            text.hasPrefix("Usage: library lend BOOK [ACTION] --phone PHONE [--version N]\n")
                && text.contains("\nLend a book.\nIt is lent for four weeks.\n")
        )
    }

    @Test("Lines break after 78 columns, and the following lines are indented")
    func wrapping() {
        let word = String(repeating: "x", count: 38)
        #expect(WrappedText.lines("\(word)a \(word)", indent: 2) == ["\(word)a \(word)"])
        #expect(WrappedText.lines("\(word)ab \(word)", indent: 2) == ["\(word)ab", "  \(word)"])
        #expect(WrappedText.lines("a b", used: 76, indent: 0) == ["a", "b"])
        #expect(WrappedText.lines("a b", used: 75, indent: 0) == ["a b"])
        let long = String(repeating: "x", count: 78)
        #expect(WrappedText.lines("\(long) a b", indent: 0) == [long, "a b"])
        #expect(WrappedText.lines("a b c", used: 74, indent: 0) == ["a b", "c"])
        #expect(WrappedText.lines("a b c", used: 73, indent: 0) == ["a b c"])
    }

    @Test("A meaning is below its term if the term is too long")
    func entries() {
        #expect(WrappedText.entry("ab", "c", column: 6) == "  ab  c")
        #expect(WrappedText.entry("abc", "d", column: 6) == "  abc\n      d")
    }

    @Test("The help of a program with a default command says so, and a group lists its commands")
    func defaultCommandAndGroup() {
        let text = HelpText.text(for: nil, of: Archive.program)
        #expect(text.hasPrefix("Usage: archive [COMMAND] [arguments] [options]\n"))
        #expect(text.contains("\nStore books.\nWithout a command, it runs serve.\n"))
        #expect(text.contains("\n  book remove   remove a book\n"))
        #expect(
            HelpText.text(forGroup: "book", of: Archive.program) == """
                Usage: archive book COMMAND [arguments] [options]

                Commands:
                  book add      add a book
                  book remove   remove a book
                """
        )
    }
}
