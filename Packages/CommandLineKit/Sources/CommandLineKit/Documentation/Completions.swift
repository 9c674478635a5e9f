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
        Command(
            "completions",
            "print the completion script for a shell",
            arguments: [
                Argument("SHELL", .choice(Shell.allCases.map(\.rawValue), "SHELL"), "the shell")
            ],
            examples: examples,
            run: { invocation, terminal throws(CommandError) in
                let shell = invocation.argument("SHELL").flatMap(Shell.init) ?? .bash
                try terminal.print([invocation.program.completions(for: shell)])
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
