import CommandLineKit
import JSON
import JSONRPC
import NovaBlendMethods

/// A command that calls a method of JSON-RPC and shows its reply.
struct MethodCommand: Sendable {
    typealias Preparation =
        @Sendable (Invocation, TypedTime, inout Parameters) async throws(CommandError) -> Void

    let name: String
    let summary: String
    let details: [String]
    /// Makes the arguments and options that set parameters.
    private let makeInputs: @Sendable () -> [MethodInput]
    private let makeExamples: @Sendable () -> [Command.Example]
    /// The call that the command makes, unless the invocation selects one of `otherCalls`.
    private let call: MethodCall
    private let otherCalls: [MethodCall]
    /// Whether a person must confirm the call. If so, the command has a flag `--yes`.
    let requiresConfirmation: Bool
    /// The lists whose changes show the result again with the flag `--watch`. If there are none, the
    /// command does not have the flag.
    let watchedLists: Set<String>
    /// Sets the parameters that do not follow from the inputs.
    let prepare: Preparation?

    init(
        name: String,
        summary: String,
        details: [String] = [],
        inputs: @escaping @autoclosure @Sendable () -> [MethodInput] = [],
        examples: @escaping @autoclosure @Sendable () -> [Command.Example],
        call: MethodCall,
        otherCalls: [MethodCall] = [],
        requiresConfirmation: Bool = false,
        watchedLists: Set<String> = [],
        prepare: Preparation? = nil
    ) {
        (self.name, self.summary, self.details) = (name, summary, details)
        (makeInputs, makeExamples) = (inputs, examples)
        (self.call, self.otherCalls) = (call, otherCalls)
        self.requiresConfirmation = requiresConfirmation
        self.watchedLists = watchedLists
        self.prepare = prepare
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
        if call.others.isEmpty {
            return "With --json, the command prints the result of the JSON-RPC method "
                + methods.joined(separator: " or ") + "."
        }
        return "With --json, the command prints the results of the JSON-RPC methods "
            + call.others.joined(separator: ", ") + ", and \(call.method) as one object."
    }

    /// The methods that the command can call.
    var methods: [String] { ([call] + otherCalls).flatMap { $0.others + [$0.method] } }

    func call(for invocation: Invocation) -> MethodCall {
        otherCalls.first { $0.isSelected(invocation) } ?? call
    }

    /// The argument or option for a parameter, as a person types it: the one that set the parameter, or
    /// else the first that can. Without any, this is the quoted name of the parameter.
    func spelling(of parameter: String, in invocation: Invocation) -> String {
        let inputs = inputs.filter { $0.parameter == parameter }
        let input = inputs.first { invocation[$0] != nil } ?? inputs.first
        return input?.spelling ?? "\"\(parameter)\""
    }
}

/// A call that a command can make, with the view of its reply.
struct MethodCall: Sendable {
    /// The name of the method; of several, the last one.
    let method: String
    /// The names of the other methods that are called, whose replies are combined with the last one.
    let others: [String]
    /// Whether an invocation selects this call among several.
    let isSelected: @Sendable (Invocation) -> Bool
    let run: @Sendable (Parameters, MethodInvoker) async throws(CommandError) -> MethodResult

    /// A call of a method, whose reply `view` shows.
    init<R: Reply>(
        _ method: MethodName<R>,
        view: @escaping @Sendable (R, ViewContext) async -> Report,
        when isSelected: @escaping @Sendable (Invocation) -> Bool = { _ in true }
    ) {
        (self.method, others, self.isSelected) = (method.name, [], isSelected)
        run = { params, invoker throws(CommandError) in
            MethodResult(try await invoker.call(method, params), view: view)
        }
    }

    /// Calls of several methods, whose replies `load` combines.
    init<R: Reply>(
        of method: String,
        after others: [String],
        _ load: @escaping @Sendable (Parameters, MethodInvoker) async throws(CommandError) -> R,
        view: @escaping @Sendable (R, ViewContext) async -> Report
    ) {
        (self.method, self.others, isSelected) = (method, others, { _ in true })
        run = { params, invoker throws(CommandError) in
            MethodResult(try await load(params, invoker), view: view)
        }
    }
}

/// The reply of a method, and how a person sees it.
struct MethodResult: Sendable {
    private let reply: any Reply
    /// Makes what a person sees.
    let report: @Sendable (ViewContext) async -> Report

    init<R: Reply>(_ reply: R, view: @escaping @Sendable (R, ViewContext) async -> Report) {
        self.reply = reply
        report = { await view(reply, $0) }
    }

    /// Encodes the reply, as JSON-RPC does.
    func encode() throws(CommandError) -> JSONFragment {
        do { return try reply.encode().fragment } catch {
            throw CommandError(error)
        }
    }

    /// Encodes the reply without the personal members of appointments. It is for standard error,
    /// which is often logged.
    func encodeWithoutPersonalData() throws(CommandError) -> JSONFragment {
        let encoded = try encode()
        guard let value = try? JSONDocument(ofOwn: encoded).root else { return encoded }
        return JSONFragment { Self.write(value, to: &$0) }
    }

    private static func write(_ value: JSONValue, to writer: inout JSONWriter) {
        if let object = try? value.object() {
            writer.object { writer in
                for (key, member) in object where !Schemas.personal.contains(key) {
                    writer.key(key)
                    write(member, to: &writer)
                }
            }
        } else if let array = try? value.array() {
            writer.array { writer in
                for element in array { write(element, to: &writer) }
            }
        } else {
            writer.value(value)
        }
    }
}

extension JSONDocument {
    /// Parses what this program has encoded, so its length is not limited.
    convenience init(ofOwn encoded: JSONFragment) throws(JSONError) {
        let bytes = encoded.bytes
        try self.init(parsing: bytes, limits: JSONLimits(maximumBytes: bytes.count))
    }
}

/// Lenient access to the data of an error and to watched elements: a member that is missing or has an
/// unexpected type is nil or empty.
extension JSONObject {
    func text(_ key: StaticString) -> String? { try? optional(key)?.string() }

    func integer(_ key: StaticString) -> Int? { try? optional(key)?.integer() }

    func child(_ key: StaticString) -> JSONObject? { try? optional(key)?.object() }

    func objects(_ key: StaticString) -> [JSONObject] {
        guard let array = try? optional(key)?.array() else { return [] }
        return array.compactMap { try? $0.object() }
    }

    func texts(_ key: StaticString) -> [String] {
        guard let array = try? optional(key)?.array() else { return [] }
        return array.compactMap { try? $0.string() }
    }
}
