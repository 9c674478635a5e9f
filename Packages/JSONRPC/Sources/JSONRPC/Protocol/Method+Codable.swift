public import JSON

extension Method {
    /// Creates a method whose parameters and result are `Codable` types.
    ///
    /// A `CancellationError` that the handler throws becomes -32800, an ``RPCError`` stays as it
    /// is, and any other error becomes -32603. Parameters that are not in `parameters` are rejected,
    /// unless ``acceptsUnknownParameters`` is set.
    ///
    /// - Parameters:
    ///   - name: The name of the method in requests.
    ///   - summary: What the method does, in one sentence.
    ///   - title: The name of the method for people.
    ///   - parameters: The parameters, in positional order. Their names are the keys of `Input`
    ///     (`properties(of:summaries:)` derives them).
    ///   - result: The result.
    ///   - effect: The side effects.
    ///   - data: The data that calls access; nil for all data.
    ///   - handler: Handles a call.
    public init<Input: Decodable & Sendable, Output: Encodable & Sendable>(
        _ name: String,
        _ summary: String,
        title: String? = nil,
        parameters: [Parameter],
        result: Result,
        effect: Effect = .reads,
        data: DataAccess? = nil,
        handler: @escaping @Sendable (Input, Call) async throws -> Output
    ) {
        self.init(
            name,
            summary,
            title: title,
            parameters: parameters,
            result: result,
            effect: effect,
            data: data
        ) { call throws(RPCError) in
            let input = try call.params.decode(Input.self)
            do {
                return try JSONFragment(encoding: try await handler(input, call))
            } catch {
                throw RPCError(thrown: error)
            }
        }
    }
}

extension [Method.Parameter] {
    /// Derives parameters from the keys and types that `type` decodes.
    ///
    /// - Parameters:
    ///   - type: The type. For its requirements, see `ObjectSchema.init(decoding:summaries:)`.
    ///   - summaries: The meanings of the parameters, by name, in one sentence each. A parameter
    ///     that is not in `summaries` has its name as its summary.
    /// - Throws: `JSONError` if the type does not meet the requirements.
    public static func properties<Value: Decodable>(
        of type: Value.Type,
        summaries: [String: String] = [:]
    ) throws(JSONError) -> [Method.Parameter] {
        try ObjectSchema(decoding: type, summaries: summaries).properties.map { property in
            Method.Parameter(
                property.name,
                property.summary ?? property.name,
                isRequired: property.isRequired,
                schema: property.schema
            )
        }
    }
}
