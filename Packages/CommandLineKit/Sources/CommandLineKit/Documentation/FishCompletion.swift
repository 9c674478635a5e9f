/// Completions for fish.
struct FishCompletion {
    let program: Program

    private var complete: String { "complete -c \(program.name)" }

    var script: String {
        ([
            "# fish completions for \(program.name): "
                + "install this file as completions/\(program.name).fish.",
            "\(complete) -f",
            "\(complete) -n __fish_use_subcommand -l version -d 'show the version'",
            "\(complete) -n __fish_use_subcommand -l help -d 'show help'",
        ] + program.commands.flatMap(lines) + help).joined(separator: "\n")
    }

    private func lines(_ command: Command) -> [String] {
        let inCommand = "\(complete) -n '__fish_seen_subcommand_from \(command.name)'"
        let name =
            "\(complete) -n __fish_use_subcommand -a \(command.name) -d "
            + ShellQuoting.quoted(command.summary)
        let arguments = command.arguments.filter { !$0.kind.words.isEmpty }.map {
            "\(inCommand) -a '\($0.kind.words.joined(separator: " "))'"
        }
        let options = command.allOptions.map { option in
            "\(inCommand) -l \(option.name)\(value(option)) "
                + "-d \(ShellQuoting.quoted(option.summary))"
        }
        return [name] + arguments + options
    }

    private func value(_ option: Option) -> String {
        guard let kind = option.kind, !option.isValueOptional else { return "" }
        return switch kind.completion {
        case .files: " -r -F"
        case .directories: " -x -a '(__fish_complete_directories)'"
        case .words(let words): " -x -a '\(words.joined(separator: " "))'"
        case .none: " -x"
        }
    }

    private var help: [String] {
        let names = program.commands.map(\.name).joined(separator: " ")
        return [
            "\(complete) -n __fish_use_subcommand -a help -d 'show help for a command'",
            "\(complete) -n '__fish_seen_subcommand_from help' -a '\(names)'",
        ]
    }
}
