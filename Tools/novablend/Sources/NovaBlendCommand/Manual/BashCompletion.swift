/// Completions for bash 4 and newer, without the package bash-completion.
enum BashCompletion {
    static var script: String {
        let commands = Command.all.map(\.name) + ["help"]
        return """
            # Completions of novablend for bash: source this, or install it as
            # share/bash-completion/completions/novablend.
            _novablend() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i
                local options= values=
                COMPREPLY=()
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                        \(commands.joined(separator: "|"))) command=${COMP_WORDS[i]}; break ;;
                    esac
                done
                case $before in
            \(valueCases)
                esac
                case $command in
            \(commandCases)
                    *) values='\(commands.joined(separator: " "))'; options='--help --version' ;;
                esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$word"))
                else
                    COMPREPLY=($(compgen -W "$values" -- "$word"))
                fi
            }
            complete -F _novablend novablend
            """
    }

    /// What follows an option that takes a value; one name means the same in every command.
    private static var valueCases: String {
        let options = Command.all.flatMap(\.options).filter {
            $0.kind != nil && !$0.isValueOptional
        }
        let names = Dictionary(grouping: options) { reply($0.kind) }.mapValues { options in
            Set(options.map { "--\($0.name)" }).sorted().joined(separator: "|")
        }
        return names.sorted { $0.value < $1.value }
            .map { "        \($0.value)) \($0.key)return ;;" }.joined(separator: "\n")
    }

    private static func reply(_ kind: ValueKind?) -> String {
        switch kind {
        case .directory: #"compopt -o filenames; COMPREPLY=($(compgen -d -- "$word")); "#
        case .file: #"compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")); "#
        case let kind? where !kind.values.isEmpty:
            #"COMPREPLY=($(compgen -W '\#(kind.values.joined(separator: " "))' -- "$word")); "#
        default: ""
        }
    }

    private static var commandCases: String {
        let cases = Command.all.map { command in
            let options = command.options.map { "--\($0.name)" }.joined(separator: " ")
            let values = command.arguments.flatMap(\.kind.values).joined(separator: " ")
            return "        \(command.name)) options='\(options)'; values='\(values)' ;;"
        }
        let names = Command.all.map(\.name).joined(separator: " ")
        return (cases + ["        help) values='\(names)' ;;"]).joined(separator: "\n")
    }
}
