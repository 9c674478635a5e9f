/// Reads a command line by the table of commands.
struct CommandLineParser {
    /// What is asked for.
    enum Request {
        case help(Command?)
        case version
        case run(Invocation)
    }

    let commands: [Command]

    init(_ commands: [Command] = Command.all) { self.commands = commands }

    /// Reads the arguments after the program's name. Throws `usage`.
    func parse(_ arguments: [String]) throws(CommandFailure) -> Request {
        guard let place = placeOfCommand(in: arguments) else {
            return try withoutCommand(arguments)
        }
        var rest = arguments
        let name = rest.remove(at: place)
        if name == "help" { return try help(about: rest) }
        return try parse(rest, for: try command(name))
    }

    private func withoutCommand(_ arguments: [String]) throws(CommandFailure) -> Request {
        if arguments.isEmpty || arguments.contains(where: Self.isHelp) { return .help(nil) }
        if arguments.contains("--version") { return .version }
        throw .usage("no command was given")
    }

    private func help(about rest: [String]) throws(CommandFailure) -> Request {
        let name = rest.first { !$0.hasPrefix("-") && $0 != "help" }
        return .help(try name.map { name throws(CommandFailure) in try command(name) })
    }

    private func command(_ name: String) throws(CommandFailure) -> Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let hint = NearestName.hint(for: name, among: commands.map(\.name))
        throw .usage("there is no command \(SafeText.line(name))\(hint)")
    }

    /// The first that is no option and no option's value: options may stand before the command.
    private func placeOfCommand(in arguments: [String]) -> Int? {
        var place = 0
        while place < arguments.count {
            let word = arguments[place]
            guard word.hasPrefix("-"), word != "-" else { return place }
            let isLong = !word.contains("=") && word.hasPrefix("--")
            place += isLong && takesValue(String(word.dropFirst(2))) ? 2 : 1
        }
        return nil
    }

    private func takesValue(_ name: String) -> Bool {
        let option = commands.lazy.flatMap(\.options).first { $0.name == name }
        return option.map { $0.kind != nil && !$0.isValueOptional } ?? false
    }

    private static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }
}

extension CommandLineParser {
    private func parse(_ words: [String], for command: Command) throws(CommandFailure) -> Request {
        var rest = words[...]
        var placed: [String] = []
        var options: [String: String] = [:]
        while let word = rest.popFirst() {
            if word == "--" {
                placed += rest
                break
            }
            if Self.isHelp(word) { return .help(command) }
            let isOwn = command.options.contains { $0.name == "version" }
            if word == "--version", !isOwn { return .version }
            guard word.hasPrefix("-"), word != "-" else {
                placed.append(word)
                continue
            }
            let (name, value) = try option(word, &rest, command)
            options[name] = value
        }
        try check(placed, of: command)
        for option in command.options where option.isRequired && options[option.name] == nil {
            throw .usage("\(command.name) needs \(option.spelling)", of: command)
        }
        return .run(Invocation(command, placed: placed, options: options))
    }

    private func option(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        _ command: Command
    ) throws(CommandFailure) -> (name: String, value: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let typed = String(parts[0])
        guard let option = command.options.first(where: { "--\($0.name)" == typed }) else {
            let hint = NearestName.hint(for: typed, among: command.options.map { "--\($0.name)" })
            throw .usage("there is no \(SafeText.line(typed))\(hint)", of: command)
        }
        let value = parts.count > 1 ? String(parts[1]) : nil
        guard let kind = option.kind else {
            guard value == nil else { throw .usage("\(typed) takes no value", of: command) }
            return (option.name, "")
        }
        guard let value = value ?? (option.isValueOptional ? "" : rest.popFirst()) else {
            throw .usage("\(typed) takes a value", of: command)
        }
        if value.isEmpty, option.isValueOptional { return (option.name, "") }
        if let objection = kind.objection(to: value) {
            throw .usage("\(typed) \(objection)", of: command)
        }
        return (option.name, value)
    }

    private func check(_ placed: [String], of command: Command) throws(CommandFailure) {
        let arguments = command.arguments
        if placed.count < arguments.count(where: \.isRequired) {
            let missing = arguments[placed.count]
            throw .usage("\(missing.name) is missing: \(missing.summary)", of: command)
        }
        if placed.count > arguments.count {
            let most =
                arguments.count == 0 ? "nothing" : arguments.map(\.name).joined(separator: " ")
            throw .usage("\(command.name) takes \(most) and its options, no more", of: command)
        }
        for (argument, value) in zip(arguments, placed) {
            if let objection = argument.kind.objection(to: value) {
                throw .usage("\(argument.name) \(objection)", of: command)
            }
        }
    }
}
