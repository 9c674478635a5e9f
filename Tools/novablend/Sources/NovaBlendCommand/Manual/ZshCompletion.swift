/// Completions for zsh.
enum ZshCompletion {
    static var script: String {
        """
        #compdef novablend
        # Completions of novablend for zsh: install this as _novablend in a directory of $fpath.
        _novablend() {
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
        if [[ $funcstack[1] == _novablend ]]; then
            _novablend "$@"
        else
            compdef _novablend novablend
        fi
        """
    }

    private static var names: String {
        (Command.all.map { ($0.name, $0.summary) } + [("help", "explain a command")])
            .map { "                \(Completions.quoted("\($0.0):\($0.1)"))" }
            .joined(separator: "\n")
    }

    private static var cases: String {
        let all = Command.all.map { command in
            let specifications = command.arguments.enumerated().map { argument($1, place: $0 + 1) }
            let options = command.options.map(option)
            let list = (specifications + options).joined(separator: " \\\n                    ")
            return "                \(command.name)) _arguments \\\n                    \(list) ;;"
        }
        let help = Command.all.map(\.name).joined(separator: " ")
        return (all + ["                help) _arguments '1:command:(\(help))' ;;"])
            .joined(separator: "\n")
    }

    /// An argument of which nothing is known gets a state that nobody handles: a message in its
    /// place would keep options from being completed at once.
    private static func argument(_ argument: Argument, place: Int) -> String {
        let optional = argument.isRequired ? ":" : "::"
        let known = action(argument.kind)
        let action = known == nothing ? "->none" : known
        return Completions.quoted("\(place)\(optional)\(argument.name):\(action)")
    }

    private static let nothing = " "

    private static func option(_ option: Option) -> String {
        let summary = option.summary.reduce(into: "") { text, character in
            text += "[]:\\".contains(character) ? "\\\(character)" : String(character)
        }
        guard let kind = option.kind else {
            return Completions.quoted("--\(option.name)[\(summary)]")
        }
        let separator = option.isValueOptional ? "=-" : "="
        let value = option.isValueOptional ? "::" : ":"
        return Completions.quoted(
            "--\(option.name)\(separator)[\(summary)]\(value)value:\(action(kind))"
        )
    }

    private static func action(_ kind: ValueKind) -> String {
        switch kind {
        case .file: "_files"
        case .directory: "_files -/"
        default: kind.values.isEmpty ? nothing : "(\(kind.values.joined(separator: " ")))"
        }
    }
}
