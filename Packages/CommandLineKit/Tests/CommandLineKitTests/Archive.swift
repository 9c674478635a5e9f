import CommandLineKit

/// A program with a default command and a group of commands.
enum Archive {
    static let program = Program(
        name: "archive",
        version: "1.0",
        summary: "store books",
        commands: [serve, add, remove, Program.completionsCommand(), Program.manualCommand()],
        defaultCommand: "serve"
    )

    private static let settings = OptionGroup(
        "Settings",
        [Option("copies", .integer(1...9), "the copies"), Option("read-only", "change nothing")]
    )

    private static let serve = Command(
        "serve",
        "serve books",
        optionGroups: [settings],
        run: { _, _ throws(CommandError) in .success }
    )

    private static let add = Command(
        "book add",
        "add a book",
        arguments: [Argument("TITLE", .text("TITLE"), "the title")],
        options: [Option("file", .file, "a file")],
        optionGroups: [settings],
        run: { _, _ throws(CommandError) in .success }
    )

    private static let remove = Command(
        "book remove",
        "remove a book",
        arguments: [Argument("KIND", .choice(["old", "lost"]), "which")],
        run: { _, _ throws(CommandError) in .success }
    )
}
