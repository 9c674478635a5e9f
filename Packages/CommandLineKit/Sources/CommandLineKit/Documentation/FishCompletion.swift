/// Completions for fish.
struct FishCompletion {
    let program: Program

    private var complete: String { "complete -c \(program.name)" }

    var script: String {
        ([
            "# fish completions for \(program.name): "
                + "install this file as completions/\(program.name).fish.",
            candidateFunction + "\(complete) -f",
            "\(complete) -n __fish_use_subcommand -l version -d 'show the version'",
            "\(complete) -n __fish_use_subcommand -l help -d 'show help'",
        ] + defaultOptions + program.groups.map(group) + program.commands.flatMap(lines) + help)
        .joined(separator: "\n")
    }

    private var askingFunction: String {
        "__\(program.name.replacing("-", with: "_"))_candidates"
    }

    /// The function that asks the program; empty if there is nothing to ask.
    private var candidateFunction: String {
        if program.complete == nil { return "" }
        return """
            function \(askingFunction)
                \(program.name) \(Program.completionWord) fish (commandline -cp | string collect) 2>/dev/null
            end

            """
    }

    private var defaultOptions: [String] {
        program.defaultOptions.map { self.option($0, "\(complete) -n __fish_use_subcommand") }
    }

    private func option(_ option: any CommandOption, _ complete: String) -> String {
        "\(complete) -l \(option.name)\(value(option)) "
            + "-d \(ShellQuoting.quoted(option.summary))"
    }

    /// The completion of the name of a group, described by the names of its commands.
    private func group(_ name: String) -> String {
        let words = program.commands(inGroup: name).map(\.lastWord).joined(separator: " ")
        return "\(complete) -n __fish_use_subcommand -a \(name) -d '\(words)'"
    }

    private func lines(_ command: Command) -> [String] {
        let seen = "__fish_seen_subcommand_from"
        var (before, condition) = ("__fish_use_subcommand", "\(seen) \(command.lastWord)")
        if let group = command.group {
            let words = program.commands(inGroup: group).map(\.lastWord).joined(separator: " ")
            before = "'\(seen) \(group); and not \(seen) \(words)'"
            condition = "\(seen) \(group); and \(condition)"
        }
        let inCommand = "\(complete) -n '\(condition)'"
        let name =
            "\(complete) -n \(before) -a \(command.lastWord) -d "
            + ShellQuoting.quoted(command.summary)
        var arguments = command.arguments.filter { !$0.anyKind.words.isEmpty }.map {
            "\(inCommand) -a '\($0.anyKind.words.joined(separator: " "))'"
        }
        // The program knows which argument comes next.
        if command.arguments.contains(where: { $0.anyKind.completion == .candidates }) {
            arguments.append("\(inCommand) -a '(\(askingFunction))'")
        }
        let options = command.allOptions.map { self.option($0, inCommand) }
        return [name] + arguments + options
    }

    private func value(_ option: any CommandOption) -> String {
        guard let kind = option.anyKind, !option.isValueOptional else { return "" }
        return switch kind.completion {
        case .files: " -r -F"
        case .directories: " -x -a '(__fish_complete_directories)'"
        case .words(let words): " -x -a '\(words.joined(separator: " "))'"
        case .candidates: " -x -a '(\(askingFunction))'"
        case .none: " -x"
        }
    }

    private var help: [String] {
        let names = program.firstWords.joined(separator: " ")
        return [
            "\(complete) -n __fish_use_subcommand -a help -d 'show help for a command'",
            "\(complete) -n '__fish_seen_subcommand_from help' -a '\(names)'",
        ]
    }
}
