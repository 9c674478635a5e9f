extension Program {
    /// The supported shells.
    public enum Shell: String, Sendable, CaseIterable { case bash, zsh, fish }

    /// A script that completes commands, options, and values in a shell.
    public func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion(program: self).script
        case .zsh: ZshCompletion(program: self).script
        case .fish: FishCompletion(program: self).script
        }
    }

    /// The command `completions`, which prints the script for a shell.
    public static func completionsCommand(examples: [Command.Example] = []) -> Command {
        let shell = Argument("SHELL", .choice(Shell.self, "SHELL"), "the shell")
        return Command(
            "completions",
            "print the completion script for a shell",
            arguments: [shell],
            examples: examples,
            run: { invocation, terminal throws(CommandError) in
                let script = invocation.program.completions(for: try invocation.required(shell))
                try terminal.print([script])
                return .success
            }
        )
    }
}

enum ShellQuoting {
    /// Text in single quotes. A quote within the text ends the quoted part, is escaped with a
    /// backslash, and begins another quoted part.
    static func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
