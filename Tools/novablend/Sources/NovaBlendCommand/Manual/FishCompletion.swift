/// Completions for fish.
enum FishCompletion {
    static var script: String {
        ([
            "# Completions of novablend for fish: install this as completions/novablend.fish.",
            "complete -c novablend -f",
            "complete -c novablend -n __fish_use_subcommand -l version -d 'show the version'",
            "complete -c novablend -n __fish_use_subcommand -l help -d 'show help'",
        ] + Command.all.flatMap(lines) + help).joined(separator: "\n")
    }

    private static func lines(_ command: Command) -> [String] {
        let isHere = "complete -c novablend -n '__fish_seen_subcommand_from \(command.name)'"
        let name =
            "complete -c novablend -n __fish_use_subcommand -a \(command.name) -d "
            + Completions.quoted(command.summary)
        let arguments = command.arguments.filter { !$0.kind.values.isEmpty }.map {
            "\(isHere) -a '\($0.kind.values.joined(separator: " "))'"
        }
        let options = command.options.map { option in
            "\(isHere) -l \(option.name)\(value(option)) -d \(Completions.quoted(option.summary))"
        }
        return [name] + arguments + options
    }

    private static func value(_ option: Option) -> String {
        guard let kind = option.kind, !option.isValueOptional else { return "" }
        switch kind {
        case .file: return " -r -F"
        case .directory: return " -x -a '(__fish_complete_directories)'"
        default:
            return kind.values.isEmpty ? " -x" : " -x -a '\(kind.values.joined(separator: " "))'"
        }
    }

    private static var help: [String] {
        let names = Command.all.map(\.name).joined(separator: " ")
        return [
            "complete -c novablend -n __fish_use_subcommand -a help -d 'explain a command'",
            "complete -c novablend -n '__fish_seen_subcommand_from help' -a '\(names)'",
        ]
    }
}
