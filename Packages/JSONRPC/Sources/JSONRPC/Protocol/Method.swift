public import JSON

/// A method, described once: the router, the discovery document and the tools come from it.
public struct Method: Sendable {
    /// Something that a method takes or gives.
    public struct Parameter: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// What it is, in a sentence.
        public var summary: String
        /// Whether a call must have it.
        public var isRequired: Bool
        /// Its JSON Schema.
        public var schema: JSONFragment

        /// Describes a parameter.
        public init(
            _ name: String,
            _ summary: String,
            isRequired: Bool = false,
            schema: JSONFragment
        ) {
            self.name = name
            self.summary = summary
            self.isRequired = isRequired
            self.schema = schema
        }
    }

    /// What a call does to the world.
    public enum Effect: Sendable, Hashable {
        /// Nothing: calls run side by side.
        case reads
        /// Something: calls run one after the other, in the order in which they arrived.
        case changes
    }

    /// Answers a call with its result.
    public typealias Handler = @Sendable (Call) async throws(RPCError) -> JSONFragment

    /// Its name, as requests have it.
    public var name: String
    /// What it does, in a sentence.
    public var summary: String
    /// What it takes, in the order of positions.
    public var parameters: [Parameter]
    /// What it gives.
    public var result: Parameter
    /// What a call does to the world.
    public var effect: Effect
    /// Answers a call.
    public var handler: Handler

    /// Describes a method.
    public init(
        _ name: String,
        _ summary: String,
        parameters: [Parameter] = [],
        result: Parameter,
        effect: Effect = .reads,
        handler: @escaping Handler
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.effect = effect
        self.handler = handler
    }
}

/// The methods of a server, by name.
public struct MethodTable: Sendable {
    /// The methods, in the order in which they were given.
    public let methods: [Method]
    private let byName: [String: Method]

    /// Makes a table; of two methods of one name the first counts.
    public init(_ methods: [Method]) {
        self.methods = methods
        byName = Dictionary(methods.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The method of that name.
    public subscript(name: String) -> Method? { byName[name] }
}
