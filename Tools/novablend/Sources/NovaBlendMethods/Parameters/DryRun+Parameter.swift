import JSON
import JSONRPC
import NovaBlendAdapters

/// The parameter `dryRun` of every method that changes something. A dry run fails if the call
/// would fail.
extension DryRun {
    static let parameter = Method.Parameter(
        "dryRun",
        "only report what would happen",
        schema: Schemas.boolean
    )

    /// The member of a result that marks a dry run.
    static let property = ObjectSchema.Property(
        parameter.name,
        Schemas.boolean,
        "true if nothing was changed",
        isRequired: false
    )

    static func isWanted(_ params: Params) throws(RPCError) -> Bool {
        try params.bool(parameter.name) ?? false
    }

    /// `method` with a handler that writes nothing if the call requests a dry run.
    static func supported(by method: Method) -> Method {
        guard method.parameters.contains(where: { $0.name == parameter.name }) else {
            return method
        }
        var supporting = method
        supporting.handler = { call throws(RPCError) in
            guard try isWanted(call.params) else { return try await method.handler(call) }
            return try await run { () throws(RPCError) in try await method.handler(call) }
        }
        return supporting
    }
}

extension JSONWriter {
    /// Marks the result of a dry run; writes nothing for any other call.
    mutating func dryRun(_ isDryRun: Bool) {
        if isDryRun { member("dryRun", true) }
    }
}
