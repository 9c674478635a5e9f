/// The value that a user has begun to type in a shell, and what was typed before it.
public struct CompletionRequest: Sendable {
    /// The command, with the options and arguments before the value. They are not checked.
    public let invocation: Invocation
    /// The name of the argument, or of the option with its dashes.
    public let name: String
    /// The beginning of the value, without quotes.
    public let typed: String
    /// What precedes the value in its word, such as `--name=`.
    let prefix: String

    init?(_ command: Command, in program: Program, after words: [String], typed word: String) {
        var line = PartialLine(command)
        for word in words { line.add(word) }
        invocation = Invocation(
            program: program,
            command: command,
            arguments: line.arguments,
            options: line.options
        )
        let kind: ValueKind?
        if let option = line.openOption {
            (kind, name, typed, prefix) = (option.kind, "--\(option.name)", word, "")
        } else if line.mayBeOption(word) {
            guard let equals = word.firstIndex(of: "="),
                let option = line.option(String(word[..<equals]))
            else { return nil }
            (kind, name) = (option.kind, "--\(option.name)")
            (typed, prefix) = (String(word[word.index(after: equals)...]), "\(name)=")
        } else {
            let arguments = command.arguments.dropFirst(line.arguments.count)
            guard let argument = arguments.first else { return nil }
            (kind, name, typed, prefix) = (argument.kind, argument.name, word, "")
        }
        guard kind?.completion == .candidates else { return nil }
    }
}

/// A value that a shell offers.
public struct CompletionCandidate: Sendable, Hashable {
    /// The value. One that contains a control character is not offered.
    public var value: String
    /// What it is, which zsh and fish show next to it.
    public var summary: String?

    /// Creates a candidate.
    public init(_ value: String, summary: String? = nil) {
        self.value = value
        self.summary = summary
    }
}

/// The words of a command that is still being typed, so that nothing is an error.
private struct PartialLine {
    private let known: [Option]
    private var hasOnlyArguments = false
    private(set) var arguments: [String] = []
    private(set) var options: [String: String] = [:]
    /// The option whose value is the next word.
    private(set) var openOption: Option?

    init(_ command: Command) { known = command.allOptions }

    mutating func add(_ word: String) {
        if let option = openOption {
            options[option.name] = word
            openOption = nil
        } else if !mayBeOption(word) {
            arguments.append(word)
        } else if word == "--" {
            hasOnlyArguments = true
        } else {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = option(String(parts[0])) else { return }
            if parts.count == 1, option.kind != nil, !option.isValueOptional {
                openOption = option
            } else {
                options[option.name] = parts.count > 1 ? String(parts[1]) : ""
            }
        }
    }

    func mayBeOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word != "-" && !hasOnlyArguments
    }

    func option(_ word: String) -> Option? { known.first { "--\($0.name)" == word } }
}
