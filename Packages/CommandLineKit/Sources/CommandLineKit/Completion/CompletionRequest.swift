/// The value that a user has begun to type in a shell, and what was typed before it.
public struct CompletionRequest: Sendable {
    /// The command, with the options and arguments before the value. An argument that is not valid is
    /// absent.
    public let invocation: Invocation
    /// Whether an option before the value is not valid, so that ``invocation`` lacks it.
    public let hasInvalidOption: Bool
    /// The name of the argument that gets the value, or of the option, with its dashes.
    public let name: String
    /// The beginning of the value, without quotes.
    public let typed: String
    /// What precedes the value in its word, such as `--name=`.
    let prefix: String

    /// Nil if nothing can be offered.
    init?(_ command: Command, in program: Program, after words: [String], typed word: String) {
        var line = PartialLine(command)
        for word in words { line.add(word) }
        hasInvalidOption = line.hasInvalidOption
        invocation = Invocation(
            program: program,
            command: command,
            options: line.options,
            arguments: line.argumentValues
        )
        let kind: ValueKind<any Sendable>?
        if let option = line.openOption {
            (kind, name, typed, prefix) = (option.anyKind, "--\(option.name)", word, "")
        } else if line.mayBeOption(word) {
            guard let equals = word.firstIndex(of: "="),
                let option = line.option(String(word[..<equals]))
            else { return nil }
            (kind, name) = (option.anyKind, "--\(option.name)")
            (typed, prefix) = (String(word[word.index(after: equals)...]), "\(name)=")
        } else {
            let arguments = command.arguments.dropFirst(line.arguments.count)
            guard let argument = arguments.first else { return nil }
            (kind, name, typed, prefix) = (argument.anyKind, argument.name, word, "")
        }
        guard kind?.completion == .candidates else { return nil }
    }
}

/// A value that a shell offers.
public struct CompletionCandidate: Sendable, Hashable {
    /// The value. A value that contains a control character is not offered.
    public var value: String
    /// A description of the value, which zsh and fish show next to it; nil for none.
    public var summary: String?

    /// Creates a candidate.
    public init(_ value: String, summary: String? = nil) {
        self.value = value
        self.summary = summary
    }
}

/// The words of a command that is still being typed. No word is an error.
private struct PartialLine {
    private let command: Command
    private let known: [any CommandOption]
    private var hasOnlyArguments = false
    private(set) var arguments: [String] = []
    private(set) var options = OptionValues()
    private(set) var hasInvalidOption = false
    /// The option whose value is the next word.
    private(set) var openOption: (any CommandOption)?

    init(_ command: Command) {
        self.command = command
        known = command.allOptions
    }

    /// The values of the arguments; nil for an invalid value.
    var argumentValues: [(any Sendable)?] {
        zip(command.arguments, arguments).map { try? $0.anyKind.value(of: $1) }
    }

    mutating func add(_ word: String) {
        if let option = openOption {
            set(option, word)
            openOption = nil
        } else if !mayBeOption(word) {
            arguments.append(word)
        } else if word == "--" {
            hasOnlyArguments = true
        } else {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = option(String(parts[0])) else { return }
            if parts.count == 1, option.anyKind != nil, !option.isValueOptional {
                openOption = option
            } else {
                set(option, parts.count > 1 ? String(parts[1]) : "")
            }
        }
    }

    func mayBeOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word != "-" && !hasOnlyArguments
    }

    private mutating func set(_ option: any CommandOption, _ text: String) {
        do {
            options.values[option.name] =
                text.isEmpty ? OptionValues.Omitted() : try option.anyKind?.value(of: text)
        } catch {
            hasInvalidOption = true
        }
    }

    func option(_ word: String) -> (any CommandOption)? { known.typed(as: word) }
}
