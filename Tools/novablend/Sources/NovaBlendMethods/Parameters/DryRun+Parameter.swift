import JSON
import JSONRPC

/// The parameter `dryRun` of every method that changes something. A dry run reports what the call
/// would do and changes nothing. It fails if it can be known that the call would fail.
enum DryRun {
    static let parameter = Method.Parameter("dryRun", "only report what would happen", .boolean)

    /// The member of a result that marks a dry run.
    static let property = ObjectSchema.Property.optional(
        parameter.name,
        .boolean.defaulting { $0.bool(false) },
        "true if nothing was changed"
    )

    static func isWanted(_ params: Params) throws(RPCError) -> Bool {
        try params.bool(parameter.name) ?? false
    }

    /// `method` with a handler that passes dry runs to the method of the same name that `readOnly`
    /// returns.
    static func supported(
        by method: Method,
        _ readOnly: @escaping @Sendable (String) -> Method?
    ) -> Method {
        guard method.mayChange else { return method }
        var supporting = method
        supporting.handler = { call throws(RPCError) in
            let isDryRun = try isWanted(call.params)
            let other = isDryRun ? readOnly(method.name) : nil
            return try await (other ?? method).handler(call)
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
