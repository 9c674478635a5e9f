import JSON
import JSONRPC
import NovaBlendEngine

/// Calls of the method table in this process: a person gets what JSON-RPC gives.
struct Conversation: Sendable {
    let table: MethodTable
    let progress: ProgressLine

    /// Calls a method; throws what it failed with, and what to do then.
    func call(_ method: String, _ params: Parameters = Parameters()) async throws(CommandFailure)
        -> Answer
    {
        do throws(RPCError) {
            let fragment = try await table.call(method, params.fragment) { [progress] in
                progress.report($0)
            }
            return try Answer(fragment)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The question to ask a person before that call; nil where none is needed.
    func question(before method: String, _ params: Parameters) async throws(CommandFailure)
        -> String?
    {
        guard let method = table[method], let confirmation = method.confirmation else { return nil }
        do throws(RPCError) {
            return try await confirmation(try Params(encoded: params.fragment, for: method))
        } catch {
            throw CommandFailure(error)
        }
    }
}
