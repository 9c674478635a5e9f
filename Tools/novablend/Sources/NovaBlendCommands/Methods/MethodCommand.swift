import CommandLineKit

/// A command that calls a method of JSON-RPC and shows its result.
struct MethodCommand: Sendable {
    /// What a view may use besides the result.
    struct ViewContext: Sendable {
        let invocation: Invocation
        let invoker: MethodInvoker
    }

    typealias Preparation =
        @Sendable (Invocation, TypedTime, inout Parameters) throws(CommandError) -> Void
    typealias View = @Sendable (MethodResult, ViewContext) async -> Report

    let name: String
    let summary: String
    var details: [String] = []
    var inputs: [MethodInput] = []
    let examples: [Command.Example]
    /// The methods that it may call.
    let methods: [String]
    /// Which of them it calls; the first by default.
    var selectMethod: (@Sendable (Invocation) -> String)?
    /// Whether a person has to confirm the call. Then it has a flag `--yes`.
    var requiresConfirmation = false
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
            options.append(Option("yes", "do not ask; required if no one can be asked"))
        }
        return Command(
            name,
            summary,
            details: details,
            arguments: arguments,
            options: options,
            optionGroups: [ServerOptions.outputGroup, ServerOptions.group],
            examples: examples,
            footnote: "It returns the result of JSON-RPC: " + methods.joined(separator: ", "),
            run: { invocation, terminal throws(CommandError) in
                try await MethodRunner(command: self, invocation: invocation, terminal: terminal)
                    .run()
            }
        )
    }

    func method(for invocation: Invocation) -> String {
        selectMethod?(invocation) ?? methods.first ?? ""
    }

    /// How the input that set a parameter was typed; nil if none did.
    func spelling(of parameter: String, in invocation: Invocation) -> String? {
        inputs.first { $0.parameter == parameter && $0.value(in: invocation) != nil }?.spelling
    }
}
