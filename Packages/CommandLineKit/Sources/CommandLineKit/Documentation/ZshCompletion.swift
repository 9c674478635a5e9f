/// Completions for zsh.
struct ZshCompletion {
    let program: Program

    var script: String {
        """
        #compdef \(program.name)
        # zsh completions for \(program.name): install this file as _\(program.name) in a directory \
        of $fpath.
        _\(program.name)() {
            local context state line
            typeset -A opt_args
            _arguments -C '(- *)--help[show help]' '(- *)--version[show the version]' \\
                '1:command:->command' '*::argument:->argument'
            case $state in
                command)
                    local -a commands
                    commands=(
        \(names)
                    )
                    _describe command commands ;;
                argument)
                    case $words[1] in
        \(cases)
                    esac ;;
            esac
        }
        if [[ $funcstack[1] == _\(program.name) ]]; then
            _\(program.name) "$@"
        else
            compdef _\(program.name) \(program.name)
        fi
        """
    }

    private var names: String {
        (program.commands.map { ($0.name, $0.summary) } + [("help", "show help for a command")])
            .map { "                \(ShellQuoting.quoted("\($0.0):\($0.1)"))" }
            .joined(separator: "\n")
    }

    private var cases: String {
        let all = program.commands.map { command in
            let arguments = command.arguments.enumerated().map { argument($1, position: $0 + 1) }
            let options = command.allOptions.map(option)
            let list = (arguments + options).joined(separator: " \\\n                    ")
            return "                \(command.name)) _arguments \\\n                    \(list) ;;"
        }
        let help = program.commands.map(\.name).joined(separator: " ")
        return (all + ["                help) _arguments '1:command:(\(help))' ;;"])
            .joined(separator: "\n")
    }

    /// An argument without completions gets a state that no code handles. A message instead would
    /// prevent zsh from offering options.
    private func argument(_ argument: Argument, position: Int) -> String {
        let optional = argument.isRequired ? ":" : "::"
        let action = self.action(argument.kind) ?? "->none"
        return ShellQuoting.quoted("\(position)\(optional)\(argument.name):\(action)")
    }

    private func option(_ option: Option) -> String {
        let summary = option.summary.reduce(into: "") { text, character in
            text += "[]:\\".contains(character) ? "\\\(character)" : String(character)
        }
        guard let kind = option.kind else {
            return ShellQuoting.quoted("--\(option.name)[\(summary)]")
        }
        let separator = option.isValueOptional ? "=-" : "="
        let value = option.isValueOptional ? "::" : ":"
        return ShellQuoting.quoted(
            "--\(option.name)\(separator)[\(summary)]\(value)value:\(action(kind) ?? " ")"
        )
    }

    private func action(_ kind: ValueKind) -> String? {
        switch kind.completion {
        case .files: "_files"
        case .directories: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .none: nil
        }
    }
}
