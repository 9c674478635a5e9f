import JSON

extension ObjectMethod {
    /// Creates a method whose parameters and result are `Codable` types.
    ///
    /// A `CancellationError` that the handler throws becomes -32800, an ``RPCError`` stays as it
    /// is, and any other error becomes -32603, also if `Output` is not encoded as an object.
    ///
    /// - Parameters:
    ///   - name: Its name in requests.
    ///   - summary: What it does, in one sentence.
    ///   - title: Its name for people.
    ///   - parameters: Its parameters, in positional order. Their names are the keys of `Input`
    ///     (`properties(of:summaries:)` derives them).
    ///   - result: Its result.
    ///   - effect: Its side effects.
    ///   - data: The data that calls access; nil for all data.
    ///   - handler: Handles a call.
    public init<Input: Decodable & Sendable, Output: Encodable & Sendable>(
        _ name: String,
        _ summary: String,
        title: String? = nil,
        parameters: [Method.Parameter],
        result: Method.Result,
        effect: Method.Effect = .reads,
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
            data: data,
            handler: Method.decoding { input, call in
                try ObjectFragment(encoding: try await handler(input, call))
            }
        )
    }
}
