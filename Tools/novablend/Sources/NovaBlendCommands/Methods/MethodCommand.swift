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
    var details: [String] = []
    var inputs: [MethodInput] = []
    let examples: [Command.Example]
    /// The methods that the command can call.
    let methods: [String]
    /// Selects one of `methods`. By default the command calls the first one.
    var selectMethod: (@Sendable (Invocation) -> String)?
    /// Calls all of `methods`, and combines their results into one object. By default the command calls
    /// only one method.
    var combine: Combination?
    /// Whether a person must confirm the call. If so, the command has a flag `--yes`.
    var requiresConfirmation = false
    /// The lists of which each change shows the result again, if there is a flag `--watch`.
    var watchedLists: Set<String> = []
    /// Sets the parameters that do not follow from the inputs.
    var prepare: Preparation?
    let view: View

    var command: Command {
        var (arguments, options): ([Argument], [Option]) = ([], [])
        for input in inputs {
            switch input.syntax {
            case .argument(let argument): arguments.append(argument)
            case .option(let option): options.append(option)
            }
        }
        if requiresConfirmation {
            options.append(Option("yes", "do not ask for confirmation; required in scripts"))
        }
        if !watchedLists.isEmpty {
            options.append(Option("watch", "show it again after each change, until interrupted"))
        }
        return Command(
            name,
            summary,
            details: details,
            arguments: arguments,
            options: options,
            optionGroups: [ServerOptions.outputGroup, ServerOptions.group],
            examples: examples,
            footnote: footnote,
            run: { invocation, terminal throws(CommandError) in
                try await MethodRunner(command: self, invocation: invocation, terminal: terminal)
                    .run()
            }
        )
    }

    private var footnote: String {
        guard let last = methods.last else { return "" }
        if combine == nil {
            return "With --json it prints the result of the JSON-RPC method "
                + methods.joined(separator: " or ") + "."
        }
        return "With --json it prints the results of the JSON-RPC methods "
            + methods.dropLast().joined(separator: ", ") + ", and \(last) as one object."
    }

    func method(for invocation: Invocation) -> String {
        selectMethod?(invocation) ?? methods.first ?? ""
    }

    /// The argument or option for a parameter, as a person types it: the one that set the parameter, or
    /// else the first that can. Without any, this is the quoted name of the parameter.
    func spelling(of parameter: String, in invocation: Invocation) -> String {
        let inputs = inputs.filter { $0.parameter == parameter }
        let input = inputs.first { $0.value(in: invocation) != nil } ?? inputs.first
        return input?.spelling ?? "\"\(parameter)\""
    }
}
