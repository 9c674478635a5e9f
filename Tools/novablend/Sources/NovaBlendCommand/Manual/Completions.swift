/// What a shell is told about the commands.
enum Completions {
    static func script(for invocation: Invocation) -> String {
        switch invocation.argument("SHELL") {
        case "zsh": ZshCompletion.script
        case "fish": FishCompletion.script
        default: BashCompletion.script
        }
    }

    /// A text within single quotes of a shell: each quote ends them, stands by itself, and begins
    /// them again.
    static func quoted(_ text: String) -> String {
        "'"
            + text.split(separator: "'", omittingEmptySubsequences: false).joined(
                separator: #"'\''"#
            )
            + "'"
    }
}
