public import JSON

/// A method whose result is always an object. JSON-RPC allows any value, but some protocols on top
/// of it, such as MCP, require objects.
public struct ObjectMethod: Sendable {
    /// Handles a call and returns its result.
    public typealias Handler = @Sendable (Call) async throws(RPCError) -> ObjectFragment

    /// The method, to add to a ``MethodTable``.
    public private(set) var method: Method
    /// Handles a call.
    public var handler: Handler { didSet { method.handler = Self.encoding(handler) } }

    /// Creates a method.
    ///
    /// - Parameters:
    ///   - name: Its name in requests.
    ///   - summary: What it does, in one sentence.
    ///   - title: Its name for people.
    ///   - parameters: Its parameters, in positional order.
    ///   - result: Its result.
    ///   - effect: Its side effects.
    ///   - data: The data that calls access; nil for all data.
    ///   - handler: Handles a call.
    public init(
        _ name: String,
        _ summary: String,
        title: String? = nil,
        parameters: [Method.Parameter] = [],
        result: Method.Result,
        effect: Method.Effect = .reads,
        data: DataAccess? = nil,
        handler: @escaping Handler
    ) {
        self.handler = handler
        method = Method(
            name,
            summary,
            title: title,
            parameters: parameters,
            result: result,
            effect: effect,
            data: data,
            handler: Self.encoding(handler)
        )
    }

    /// Its name in requests.
    public var name: String { method.name }
    /// Its parameters, in positional order.
    public var parameters: [Method.Parameter] { method.parameters }
    /// Its side effects.
    public var effect: Method.Effect {
        get { method.effect }
        set { method.effect = newValue }
    }
    /// Determines the side effects of a call, if they depend on its parameters.
    public var determineEffect: (@Sendable (Call) -> Method.CallEffect)? {
        get { method.determineEffect }
        set { method.determineEffect = newValue }
    }
    /// The data that calls access; nil for all data.
    public var data: DataAccess? {
        get { method.data }
        set { method.data = newValue }
    }
    /// Whether it accepts named parameters that are not in ``parameters``.
    public var acceptsUnknownParameters: Bool {
        get { method.acceptsUnknownParameters }
        set { method.acceptsUnknownParameters = newValue }
    }
    /// Whether a parameter whose value is an empty string or an empty array counts as absent.
    public var treatsEmptyAsAbsent: Bool {
        get { method.treatsEmptyAsAbsent }
        set { method.treatsEmptyAsAbsent = newValue }
    }
    /// Values that other libraries attach.
    public var annotations: Annotations {
        get { method.annotations }
        set { method.annotations = newValue }
    }

    private static func encoding(_ handler: @escaping Handler) -> Method.Handler {
        { call throws(RPCError) in try await handler(call).fragment }
    }
}
