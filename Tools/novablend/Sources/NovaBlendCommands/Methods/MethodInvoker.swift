import CommandLineKit
import JSON
import JSONRPC
import NovaBlendEngine
import NovaBlendMethods

/// Calls methods of the method table in this process. The results are the same as over JSON-RPC.
struct MethodInvoker: Sendable {
    let table: MethodTable
    let progress: ProgressLine

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
            let fragment = try await table.call(method, params.fragment) { [progress] in
                progress.report($0)
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
            return try await makeConfirmation(try Params(encoded: params.fragment, for: method))
        } catch {
            throw CommandError(error)
        }
    }
}
