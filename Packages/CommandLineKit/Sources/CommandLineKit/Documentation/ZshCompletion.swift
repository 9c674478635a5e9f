/// Completions for zsh.
struct ZshCompletion {
    let program: Program

    var script: String {
        """
        #compdef \(program.name)
        # zsh completions for \(program.name): install this file as _\(program.name) in a directory \
        of $fpath.
        \(candidateFunction)_\(program.name)() {
            local context state line
            local -a typed_words=("${(@)words[1,CURRENT-1]}")
            typeset -A opt_args
            _arguments -C '(- *)--help[show help]' '(- *)--version[show the version]' \(defaultOptions)\\
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

    /// The function that asks the program for candidates; empty if the program has none.
    private var candidateFunction: String {
        if program.complete == nil { return "" }
        return #"""
            _\#(program.name)_candidates() {
                local typed="${(j: :)typed_words} $QIPREFIX$IPREFIX$PREFIX"
                local -a lines=("${(@f)$(\#(program.name) \#(Program.completionWord) zsh "$typed" 2>/dev/null)}")
                [[ -n $lines[1] ]] || return 1
                local -a values=("${(@)lines%%$'\t'*}")
                lines=("${(@)lines/$'\t'/  }")
                compadd -U -l -d lines -a values
            }

            """#
    }

    private var defaultOptions: String {
        program.defaultOptions.map { option($0) + " \\\n            " }.joined()
    }

    private var names: String {
        let names = program.firstWords.map { word in
            let command = program.commands.first { $0.name == word }
            let words = program.commands(inGroup: word).map(\.lastWord)
            return (word, command?.summary ?? words.joined(separator: ", "))
        }
        return (names + [("help", "show help for a command")])
            .map { "                \(ShellQuoting.quoted("\($0.0):\($0.1)"))" }
            .joined(separator: "\n")
    }

    private var cases: String {
        let all = program.commands.filter { $0.group == nil }.map(commandCase)
        let help = program.firstWords.joined(separator: " ")
        return
            (all + program.groups.map(groupCase) + [
                "                help) _arguments '1:command:(\(help))' ;;"
            ])
            .joined(separator: "\n")
    }

    private func commandCase(_ command: Command) -> String {
        let arguments = command.arguments.enumerated().map { argument($1, position: $0 + 1) }
        let options = command.allOptions.map(option)
        let list = (arguments + options).joined(separator: " \\\n                    ")
        return "                \(command.lastWord)) _arguments \\\n                    \(list) ;;"
    }

    /// The completions of a group: the word after its name is the name of a command.
    private func groupCase(_ group: String) -> String {
        let commands = program.commands(inGroup: group)
        return """
                            \(group))
                                if (( CURRENT == 2 )); then
                                    _arguments '1:command:(\(commands.map(\.lastWord).joined(separator: " ")))'
                                else
                                    shift words; (( CURRENT -= 1 ))
                                    case $words[1] in
            \(commands.map(commandCase).joined(separator: "\n"))
                                    esac
                                fi ;;
            """
    }

    /// An argument without completions gets a state that no code handles. A message instead would
    /// prevent zsh from offering options.
    private func argument(_ argument: any CommandArgument, position: Int) -> String {
        let optional = argument.isRequired ? ":" : "::"
        let action = self.action(argument.anyKind) ?? "->none"
        return ShellQuoting.quoted("\(position)\(optional)\(argument.name):\(action)")
    }

    private func option(_ option: any CommandOption) -> String {
        let summary = option.summary.reduce(into: "") { text, character in
            text += "[]:\\".contains(character) ? "\\\(character)" : String(character)
        }
        guard let kind = option.anyKind else {
            return ShellQuoting.quoted("--\(option.name)[\(summary)]")
        }
        let separator = option.isValueOptional ? "=-" : "="
        let value = option.isValueOptional ? "::" : ":"
        return ShellQuoting.quoted(
            "--\(option.name)\(separator)[\(summary)]\(value)value:\(action(kind) ?? " ")"
        )
    }

    private func action(_ kind: ValueKind<any Sendable>) -> String? {
        switch kind.completion {
        case .files: "_files"
        case .directories: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .candidates: "_\(program.name)_candidates"
        case .none: nil
        }
    }
}
