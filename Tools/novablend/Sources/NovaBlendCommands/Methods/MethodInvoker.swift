import CommandLineKit
import Domain
import JSON
import JSONRPC
import NovaBlendEngine
import NovaBlendMethods

/// Calls methods of the method table in this process. The results are the same as over JSON-RPC.
struct MethodInvoker: Sendable {
    let table: MethodTable
    let progress: ProgressLine
    /// The budget of the command; nil if each of its calls has one of its own.
    var budget: CallBudget?
    /// The share of what is left of the budget that each request may take.
    var share = 1.0

    /// Whether every call of a method without a dry run changes something.
    func alwaysChanges(_ name: String) -> Bool {
        guard let method = table[name] else { return false }
        return method.mayChange && method.determineEffect == nil
    }

    /// Calls a method. Its error is thrown as a `CommandError` that explains it.
    func call(
        _ method: String,
        _ params: Parameters = Parameters()
    ) async throws(CommandError) -> MethodResult {
        do throws(RPCError) {
            let fragment = try await withinBudget { () async throws(RPCError) in
                try await table.call(method, params.fragment) { [progress] in
                    progress.report($0)
                }
            }
            return try MethodResult(fragment)
        } catch {
            throw CommandError(error)
        }
    }

    /// The question to ask a person before a call; nil if no confirmation is necessary.
    func confirmation(
        before method: String,
        _ params: Parameters
    ) async throws(CommandError) -> Method.Confirmation? {
        guard let method = table[method], let makeConfirmation = method.declaration.makeConfirmation
        else {
            return nil
        }
        do throws(RPCError) {
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
        guard let budget else { return try await body() }
        return try await CallBudget.run(within: budget, share: share, body)
    }
}
