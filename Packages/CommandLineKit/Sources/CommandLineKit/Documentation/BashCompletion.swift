/// Completions for bash 4 and later, which do not need the package bash-completion.
struct BashCompletion {
    let program: Program

    var script: String {
        let words = program.firstWords + ["help"]
        let names = (words + program.commands.map(\.name).filter { !words.contains($0) })
            .map { "'\($0)'" }
        return """
            # bash completions for \(program.name): source this file, or install it as
            # share/bash-completion/completions/\(program.name).
            \(candidateFunction)\(function)() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i
                local options= values= asks=
                COMPREPLY=()
                # bash splits --option=value.
                if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then
                    before=${COMP_WORDS[COMP_CWORD-2]}
                fi
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case $command${command:+ }${COMP_WORDS[i]} in
                        \(names.joined(separator: "|"))) command+=${command:+ }${COMP_WORDS[i]} ;;
                    esac
                done
                case $before in
            \(optionValueCases)
                esac
                case $command in
            \(commandCases)
                    *) values='\(words.joined(separator: " "))'; options='\(standardOptions)' ;;
                esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$word"))
                elif [[ $asks ]]; then
                    \(function)_candidates "${2-}"
                else
                    COMPREPLY=($(compgen -W "$values" -- "$word"))
                fi
            }
            complete -F \(function) \(program.name)
            """
    }

    private var function: String { "_\(program.name.replacing("-", with: "_"))" }

    /// The function that asks the program; empty if there is nothing to ask.
    private var candidateFunction: String {
        if program.complete == nil { return "" }
        return """
            \(function)_candidates() {
                local line=${COMP_LINE:0:COMP_POINT}
                mapfile -t COMPREPLY < <(\(program.name) \(Program.completionWord) bash "$line" "$1" 2>/dev/null)
            }

            """
    }

    /// The options before a command, which are also those of the default command.
    private var standardOptions: String {
        let names = program.implicitCommand?.allOptions.map(\.name) ?? ["help"]
        return (names + ["version"]).map { "--\($0)" }.joined(separator: " ")
    }

    /// The completions of option values. Options with the same name must take the same kind of
    /// value in every command.
    private var optionValueCases: String {
        let options = program.commands.flatMap(\.allOptions).filter {
            $0.anyKind != nil && !$0.isValueOptional
        }
        let names = Dictionary(grouping: options) { reply($0.anyKind) }.mapValues { options in
            Set(options.map { "--\($0.name)" }).sorted().joined(separator: "|")
        }
        return names.sorted { $0.value < $1.value }
            .map { "        \($0.value)) \($0.key)return ;;" }.joined(separator: "\n")
    }

    private func reply(_ kind: ValueKind<any Sendable>?) -> String {
        switch kind?.completion {
        case .directories: #"compopt -o filenames; COMPREPLY=($(compgen -d -- "$word")); "#
        case .files: #"compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")); "#
        case .words(let words):
            #"COMPREPLY=($(compgen -W '\#(words.joined(separator: " "))' -- "$word")); "#
        case .candidates: "\(function)_candidates \"${2-}\"; "
        case .some(.none), nil: ""
        }
    }

    private var commandCases: String {
        let cases = program.commands.map { command in
            let options = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
            let values = command.arguments.flatMap(\.anyKind.words).joined(separator: " ")
            let asks = command.arguments.contains { $0.anyKind.completion == .candidates }
            return "        '\(command.name)') options='\(options)'; values='\(values)'"
                + (asks ? "; asks=1 ;;" : " ;;")
        }
        let groups = program.groups.map { group in
            let words = program.commands(inGroup: group).map(\.lastWord).joined(separator: " ")
            return "        '\(group)') options='--help'; values='\(words)' ;;"
        }
        let words = program.firstWords.joined(separator: " ")
        return (cases + groups + ["        help) values='\(words)' ;;"]).joined(separator: "\n")
    }
}
