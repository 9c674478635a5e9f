import CommandLineKit

/// A program with a default command and a group of commands.
enum Archive {
    static let program = Program(
        name: "archive",
        version: "1.0",
        summary: "store books",
        commands: [serve, add, remove, Program.completionsCommand(), Program.manualCommand()],
        defaultCommand: "serve",
        complete: { request in
            let before = request.invocation[from] ?? request.invocation[title]
            let titles = before.map { ["after \($0)"] } ?? titles
            return titles.filter { $0.hasPrefix(request.typed) }.map {
                CompletionCandidate(
                    $0,
                    summary: "\(request.name)\tof \(request.invocation.command.name)"
                )
            }
        }
    )

    /// Titles that a shell would interpret, and two that no one can type.
    static let titles = [
        "Night Owl", "Night's \"$HOME\" `id`!", "Nø; #~&|<>(){}[]*?\\", "14:30=a", "~",
        "a\u{1B}[31m", "a\nb",
    ]

    private static let settings = OptionGroup(
        "Settings",
        [Option("copies", .integer(1...9), "the copies"), Option("read-only", "change nothing")]
    )

    private static let serve = Command(
        "serve",
        "serve books",
        optionGroups: [settings],
        run: { _, _ in .success }
    )

    private static let titleKind = ValueKind.text("TITLE", completion: .candidates)
    static let title = Argument("TITLE", titleKind, "the title")
    private static let from = Option("from", titleKind, "the title before it")

    private static let add = Command(
        "book add",
        "add a book",
        arguments: [
            title,
            Argument("NEXT", titleKind, isRequired: false, "the title of the next one"),
        ],
        options: [Option("file", .file, "a file"), from],
        optionGroups: [settings],
        run: { _, _ in .success }
    )

    private static let remove = Command(
        "book remove",
        "remove a book",
        arguments: [Argument("KIND", .choice(["old", "lost"]), "which")],
        run: { _, _ in .success }
    )
}
