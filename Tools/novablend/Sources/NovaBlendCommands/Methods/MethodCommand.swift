import CommandLineKit

/// A command that calls a method of JSON-RPC and shows its result.
struct MethodCommand: Sendable {
    typealias Preparation =
        @Sendable (Invocation, TypedTime, inout Parameters) async throws(CommandError) -> Void
    typealias Combination =
        @Sendable (Parameters, MethodInvoker) async throws(CommandError) -> MethodResult
    typealias View = @Sendable (ViewContext) async -> Report

    let name: String
    let summary: String
    let details: [String]
    /// Makes the arguments and options that set parameters.
    private let makeInputs: @Sendable () -> [MethodInput]
    private let makeExamples: @Sendable () -> [Command.Example]
    /// The methods that the command can call.
    let methods: [String]
    /// Selects one of `methods`; nil if the command calls the first one.
    private let selectMethod: (@Sendable (Invocation) -> String)?
    /// Calls all of `methods`, and combines their results into one object; nil if the command calls
    /// only one method.
    let combine: Combination?
    /// Whether a person must confirm the call. If so, the command has a flag `--yes`.
    let requiresConfirmation: Bool
    /// The lists whose changes show the result again with the flag `--watch`. If there are none, the
    /// command does not have the flag.
    let watchedLists: Set<String>
    /// Sets the parameters that do not follow from the inputs.
    let prepare: Preparation?
    let view: View

    init(
        name: String,
        summary: String,
        details: [String] = [],
        inputs: @escaping @autoclosure @Sendable () -> [MethodInput] = [],
        examples: @escaping @autoclosure @Sendable () -> [Command.Example],
        methods: [String],
        selectMethod: (@Sendable (Invocation) -> String)? = nil,
        combine: Combination? = nil,
        requiresConfirmation: Bool = false,
        watchedLists: Set<String> = [],
        prepare: Preparation? = nil,
        view: @escaping View
    ) {
        (self.name, self.summary, self.details) = (name, summary, details)
        (makeInputs, makeExamples) = (inputs, examples)
        (self.methods, self.selectMethod, self.combine) = (methods, selectMethod, combine)
        self.requiresConfirmation = requiresConfirmation
        self.watchedLists = watchedLists
        (self.prepare, self.view) = (prepare, view)
    }

    var inputs: [MethodInput] { makeInputs() }

    var command: Command {
        Command(
            name,
            summary,
            details: details,
            arguments: arguments,
            options: options,
            optionGroups: [ServerOptions.outputGroup, ServerOptions.group],
            examples: makeExamples(),
            footnote: footnote,
            run: { invocation, terminal throws(CommandError) in
                try await MethodRunner(command: self, invocation: invocation, terminal: terminal)
                    .run()
            }
        )
    }

    static let yes = Option("yes", "do not ask for confirmation; required in scripts")
    static let watch = Option("watch", "show the result again after each change, until interrupted")

    private var arguments: [any CommandArgument] {
        inputs.compactMap { input in
            if case .argument(let argument) = input.syntax { argument } else { nil }
        }
    }

    private var options: [any CommandOption] {
        var options = inputs.compactMap { input -> (any CommandOption)? in
            switch input.syntax {
            case .argument: nil
            case .option(let option): option
            case .flag(let option): option
            }
        }
        if requiresConfirmation { options.append(Self.yes) }
        if !watchedLists.isEmpty { options.append(Self.watch) }
        return options
    }

    private var footnote: String {
        guard let last = methods.last else { return "" }
        if combine == nil {
            return "With --json, the command prints the result of the JSON-RPC method "
                + methods.joined(separator: " or ") + "."
        }
        return "With --json, the command prints the results of the JSON-RPC methods "
            + methods.dropLast().joined(separator: ", ") + ", and \(last) as one object."
    }

    func method(for invocation: Invocation) -> String {
        selectMethod?(invocation) ?? methods.first ?? ""
    }

    /// The argument or option for a parameter, as a person types it: the one that set the parameter, or
    /// else the first that can. Without any, this is the quoted name of the parameter.
    func spelling(of parameter: String, in invocation: Invocation) -> String {
        let inputs = inputs.filter { $0.parameter == parameter }
        let input = inputs.first { invocation[$0] != nil } ?? inputs.first
        return input?.spelling ?? "\"\(parameter)\""
    }
}
