import SystemSupport

/// Parses a command line according to the description of a program.
public struct CommandLineParser: Sendable {
    /// What a command line requests.
    public enum Request: Sendable {
        /// The help of a command, or of the program if nil.
        case help(Command?)
        /// The help of a group of commands.
        case groupHelp(String)
        /// The command line requests the version of the program.
        case version
        /// A command with its options and arguments.
        case run(Invocation)
    }

    private let program: Program

    /// Creates a parser for a program.
    public init(_ program: Program) { self.program = program }

    /// Parses the command line without the program's name. Options may appear before the command,
    /// after it, and between its arguments. Everything after `--` is an argument. If an option is
    /// repeated, its last value is used. Without a command, the default command is parsed.
    ///
    /// - Throws: An error with the exit code `usage`, which never contains a value.
    public func parse(_ arguments: [String]) throws(CommandError) -> Request {
        guard let index = commandIndex(in: arguments) else {
            return try requestWithoutCommand(arguments)
        }
        var rest = arguments
        let name = rest.remove(at: index)
        if name == "help" {
            let topic = rest.filter { !$0.hasPrefix("-") && $0 != "help" }
            return try help(topic)
        }
        if let command = program.implicitCommand, !program.firstWords.contains(name),
            index > 0, isUnknownOption(arguments[index - 1])
        {
            // The word is the value of the unknown option, which is then reported.
            return try CommandParser(program: program, command: command).parse(arguments)
        }
        guard isGroup(name) else { return try request(try command(name), rest) }
        guard let wordIndex = commandIndex(in: rest, from: index) else {
            if rest.contains(where: CommandParser.isHelp) { return .groupHelp(name) }
            throw .usage("missing command after \(name)", of: name, in: program)
        }
        let word = rest.remove(at: wordIndex)
        return try request(try command(word, inGroup: name), rest)
    }

    /// What to complete if `typed` is the beginning of the word after `words`; nil if it is not the
    /// value of an argument or option of the kind ``ShellCompletion/candidates``.
    func completionRequest(_ words: [String], _ typed: String) -> CompletionRequest? {
        var rest = words
        var command = program.implicitCommand
        if let index = commandIndex(in: words) {
            let name = rest.remove(at: index)
            command = program.commands.first { $0.name == name }
            if isGroup(name), let wordIndex = commandIndex(in: rest, from: index) {
                let word = rest.remove(at: wordIndex)
                command = program.commands(inGroup: name).first { $0.lastWord == word }
            }
        }
        return command.flatMap {
            CompletionRequest($0, in: program, after: rest, typed: typed)
        }
    }

    private func request(_ command: Command, _ words: [String]) throws(CommandError) -> Request {
        try CommandParser(program: program, command: command).parse(words)
    }

    private func requestWithoutCommand(_ arguments: [String]) throws(CommandError) -> Request {
        if arguments.contains(where: CommandParser.isHelp) { return .help(nil) }
        if arguments.contains("--version") { return .version }
        if let command = program.implicitCommand { return try request(command, arguments) }
        if arguments.isEmpty { return .help(nil) }
        throw .usage("missing command", in: program)
    }

    private func help(_ topic: [String]) throws(CommandError) -> Request {
        guard let name = topic.first else { return .help(nil) }
        guard isGroup(name) else { return .help(try command(name)) }
        return topic.count > 1
            ? .help(try command(topic[1], inGroup: name)) : .groupHelp(name)
    }

    private func command(_ name: String) throws(CommandError) -> Command {
        if let command = program.commands.first(where: { $0.name == name }) { return command }
        let hint = NearestName.hint(for: name, among: program.firstWords)
        throw .usage("unknown command \(SafeText.line(name))\(hint)", in: program)
    }

    private func command(
        _ word: String,
        inGroup group: String
    ) throws(CommandError) -> Command {
        let commands = program.commands(inGroup: group)
        if let command = commands.first(where: { $0.lastWord == word }) { return command }
        let hint = NearestName.hint(for: word, among: commands.map(\.lastWord))
        let name = SafeText.line("\(group) \(word)")
        throw .usage("unknown command \(name)\(hint)", of: group, in: program)
    }

    private func isGroup(_ word: String) -> Bool {
        program.commands.contains { $0.group == word }
    }

    private func isUnknownOption(_ word: String) -> Bool {
        word.hasPrefix("-") && option(String(word.prefix { $0 != "=" })) == nil
    }

    /// The index of the first word that is neither an option nor the value of an option.
    private func commandIndex(in arguments: [String], from start: Int = 0) -> Int? {
        var index = start
        while index < arguments.count {
            let word = arguments[index]
            guard word.hasPrefix("-"), word != "-" else { return index }
            index += takesNextWord(word) ? 2 : 1
        }
        return nil
    }

    private func takesNextWord(_ word: String) -> Bool {
        option(word).map { $0.anyKind != nil && !$0.isValueOptional } ?? false
    }

    /// The option of any command that is typed as `word`.
    private func option(_ word: String) -> (any CommandOption)? {
        program.commands.lazy.flatMap(\.allOptions).typed(as: word)
    }
}

/// Parses the words of a command line that belong to one command.
private struct CommandParser {
    let program: Program
    let command: Command

    static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

    func parse(_ words: [String]) throws(CommandError) -> CommandLineParser.Request {
        var rest = words[...]
        var arguments: [String] = []
        var options = OptionValues()
        let known = command.allOptions
        while let word = rest.popFirst() {
            if word == "--" {
                arguments += rest
                break
            }
            if Self.isHelp(word) { return .help(command) }
            if word == "--version", !known.contains(where: { $0.name == "version" }) {
                return .version
            }
            guard word.hasPrefix("-"), word != "-" else {
                arguments.append(word)
                continue
            }
            let (name, value) = try option(word, &rest, known)
            options.values[name] = value
        }
        let invocation = Invocation(
            program: program,
            command: command,
            options: options,
            arguments: try values(of: arguments)
        )
        if let argument = command.arguments.dropFirst(arguments.count).first(where: \.isRequired) {
            throw invocation.missing(argument)
        }
        if let option = known.first(where: { $0.isRequired && !options.has($0) }) {
            throw invocation.missing(option)
        }
        return .run(invocation)
    }

    private func option(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        _ known: [any CommandOption]
    ) throws(CommandError) -> (name: String, value: any Sendable) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = known.typed(as: name) else {
            let hint = NearestName.hint(for: name, among: known.map { "--\($0.name)" })
            throw usage("unknown option \(SafeText.line(name))\(hint)")
        }
        let value = parts.count > 1 ? String(parts[1]) : nil
        guard let kind = option.anyKind else {
            guard value == nil else { throw usage("\(name) does not take a value") }
            return (option.name, true)
        }
        guard let value = value ?? (option.isValueOptional ? "" : rest.popFirst()) else {
            throw usage("\(name) requires a value")
        }
        if value.isEmpty, option.isValueOptional { return (option.name, OptionValues.Omitted()) }
        return (option.name, try parse(value, as: kind, name))
    }

    private func values(of words: [String]) throws(CommandError) -> [any Sendable] {
        let arguments = command.arguments
        guard words.count <= arguments.count else {
            let expected =
                arguments.isEmpty
                ? "no arguments" : "only \(arguments.map(\.name).joined(separator: " "))"
            throw usage("too many arguments: \(command.name) takes \(expected)")
        }
        return try zip(arguments, words).map { argument, word throws(CommandError) in
            try parse(word, as: argument.anyKind, argument.name)
        }
    }

    private func parse(
        _ text: String,
        as kind: ValueKind<any Sendable>,
        _ name: String
    ) throws(CommandError) -> any Sendable {
        do {
            return try kind.value(of: text)
        } catch {
            throw usage("\(name) \(error.problem)")
        }
    }

    private func usage(_ message: String) -> CommandError {
        .usage(message, of: command.name, in: program)
    }
}
