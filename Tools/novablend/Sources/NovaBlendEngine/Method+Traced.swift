import Domain
import JSON
import JSONRPC
import MCP
import NovaBlendAccounts
import WebPrimitives

extension Method {
    /// The method, which handles each call in the call's own trace context.
    var traced: Method {
        var traced = self
        traced.handler = { [handler] call throws(RPCError) in
            guard let trace = call.traceContext else { return try await handler(call) }
            // `withValue` does not pass on the type of the error.
            let result = await TraceContext.$current.withValue(trace) {
                () async -> Swift.Result<JSONFragment, RPCError> in
                do throws(RPCError) {
                    return .success(try await handler(call))
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }
        return traced
    }
}

extension Method {
    /// The method, which handles each call within a budget of time without progress, unless the caller
    /// has one.
    func limited(to timeout: Duration) -> Method {
        var limited = self
        limited.handler = { [handler] call throws(RPCError) in
            try await CallBudget.run(within: CallBudget(timeout)) { () async throws(RPCError) in
                try await handler(call)
            }
        }
        return limited
    }
}

extension Call {
    /// The trace context in `_meta`, where MCP has it (SEP-414); nil if it is absent or invalid.
    /// Other JSON-RPC calls have it in the same place. `baggage` is ignored: it could contain
    /// anything.
    fileprivate var traceContext: TraceContext? {
        guard let meta = try? self.meta?.object(),
            let parent = try? meta.member(named: TraceContext.parentField)?.string()
        else { return nil }
        let state = try? meta.member(named: TraceContext.stateField)?.string()
        return TraceContext(parent: parent, state: state)
    }
}
