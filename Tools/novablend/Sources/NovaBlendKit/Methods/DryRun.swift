import JSON
import JSONRPC

/// What every method that changes something has in common: asked to, it says what would happen and
/// changes nothing. What would be refused is refused.
enum DryRun {
    static let parameter = Method.Parameter(
        "dryRun",
        "true to be told what would happen, and change nothing",
        schema: Schemas.boolean
    )

    /// Of the result.
    static let property = ObjectSchema.Property(
        parameter.name,
        Schemas.boolean,
        "true where nothing was changed",
        isRequired: false
    )

    static func isWanted(_ params: Params) throws(RPCError) -> Bool {
        try params.bool(parameter.name) ?? false
    }
}

extension JSONWriter {
    /// Marks the result of a dry run as one.
    mutating func dryRun(_ isDryRun: Bool) {
        if isDryRun { member("dryRun", true) }
    }
}
