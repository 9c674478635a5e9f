import CommandLineKit
import Domain
import JSON
import JSONRPC
import NovaBlendEngine
import NovaBlendMethods

/// Calls methods in this process. The results are the same as over JSON-RPC.
struct MethodInvoker: Sendable {
    let composition: Composition
    let progress: ProgressLine
    /// The budget of the command; nil if each of its calls has one of its own.
    var budget: CallBudget?
    /// The share of what is left of the budget that each request may take.
    var share = 1.0

    /// Whether every call of a method without a dry run changes something.
    func alwaysChanges(_ name: String) -> Bool {
        guard let method = composition.method(named: name) else { return false }
        return method.mayChange && method.determineEffect == nil
    }

    /// Whether a call of a method may change something.
    func mayChange(_ name: String) -> Bool { composition.method(named: name)?.mayChange == true }

    /// Calls a method. Its error is thrown as a `CommandError` that explains it.
    func call<R: Reply>(
        _ name: MethodName<R>,
        _ params: Parameters = Parameters()
    ) async throws(CommandError) -> R {
        do throws(RPCError) {
            guard let method = composition.method(named: name.name) else {
                throw .methodNotFound(name.name)
            }
            let call = try Call(of: method, params.fragment) { [progress] in progress.report($0) }
            if isReadOnly { try Discovery.rejectChange(by: call, of: method) }
            return try await withinBudget { () async throws(RPCError) in
                try await method.reply(to: call, as: name)
            }
        } catch {
            throw CommandError(error)
        }
    }

    /// The question to ask a person before a call; nil if no confirmation is necessary, or if the call
    /// will be rejected.
    func confirmation(
        before name: String,
        _ params: Parameters
    ) async throws(CommandError) -> Method.Confirmation? {
        guard !isReadOnly, let method = composition.method(named: name),
            let makeConfirmation = method.declaration.makeConfirmation
        else { return nil }
        do {
            return try await withinBudget { () async throws(RPCError) in
                try await makeConfirmation(try Params(encoded: params.fragment, for: method))
            }
        } catch {
            throw CommandError(error)
        }
    }

    private func withinBudget<Value: Sendable>(
        _ body: () async throws(RPCError) -> Value
    ) async throws(RPCError) -> Value {
        let timeout = composition.configuration.callTimeout
        return try await CallBudget.run(within: budget ?? CallBudget(timeout), share: share, body)
    }

    private var isReadOnly: Bool { composition.configuration.isReadOnly }
}
