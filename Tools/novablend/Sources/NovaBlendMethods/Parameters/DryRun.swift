import JSON
import JSONRPC

/// What every method that changes something has in common: asked to, it says what would happen and
/// changes nothing, and writes nothing. What would be refused is refused.
public enum DryRun {
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

    /// Whether this task does nothing but rehearse: stores keep what they have then.
    @TaskLocal static var isUnderWay = false

    /// The methods with dry runs that write nothing: not even what is loaded on the way is kept.
    static func keepingAll(_ method: Method) -> Method {
        guard method.parameters.contains(where: { $0.name == parameter.name }) else {
            return method
        }
        var keeping = method
        keeping.handler = { call throws(RPCError) in
            guard try isWanted(call.params) else { return try await method.handler(call) }
            return try await keepingAll { () throws(RPCError) in try await method.handler(call) }
        }
        return keeping
    }

    /// Does `work` with stores that keep what they have.
    public static func keepingAll<Answer: Sendable, Failure: Error>(
        _ work: @Sendable () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        let answer = await $isUnderWay.withValue(true) {
            do throws(Failure) {
                return Result<Answer, Failure>.success(try await work())
            } catch {
                return .failure(error)
            }
        }
        return try answer.get()
    }

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
