public import JSON

/// A method: its handler, and the description from which requests are routed, checked, and documented.
public struct Method: Sendable {
    /// A parameter of a method.
    public struct Parameter: Sendable {
        /// Its name.
        public var name: String
        /// What it means, in a sentence.
        public var summary: String
        /// Whether a call must include it.
        public var isRequired: Bool
        /// Its JSON Schema.
        public var schema: JSONFragment
        /// What other libraries attach to it.
        public var annotations = Annotations()

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

    /// The result of a call.
    public struct Result: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// What it contains, in a sentence.
        public var summary: String
        /// Its members.
        public var schema: ObjectSchema

        /// Describes a result.
        public init(_ name: String, _ summary: String, schema: ObjectSchema = ObjectSchema()) {
            self.name = name
            self.summary = summary
            self.schema = schema
        }
    }

    /// The side effects of a method.
    public enum Effect: Sendable, Hashable {
        /// None: calls run concurrently.
        case reads
        /// Calls that access the same data run one at a time, in the order of their arrival.
        case changes(destroys: Bool = false, isIdempotent: Bool = false)
    }

    /// The side effects of one call.
    public enum CallEffect: Sendable, Hashable {
        /// None.
        case reads
        /// It may change data from its start.
        case changes
        /// It may change data once it runs ``Call/inTurn(_:_:)``.
        case changesLater
    }

    /// Handles a call and returns its result.
    public typealias Handler = @Sendable (Call) async throws(RPCError) -> JSONFragment

    /// Its name in requests.
    public var name: String
    /// Its name for people.
    public var title: String?
    /// What it does, in a sentence.
    public var summary: String
    /// Its parameters, in the order of their positions.
    public var parameters: [Parameter]
    /// Whether it also accepts named parameters that are not in ``parameters``.
    public var isOpen = false
    /// Its result.
    public var result: Result
    /// Its side effects.
    public var effect: Effect
    /// The side effects of a call, if they depend on the call.
    public var decidesEffect: (@Sendable (Call) -> CallEffect)?
    /// The data that its calls access; nil for all data.
    public var data: DataAccess?
    /// The data that a call accesses, if it depends on the call.
    public var decidesData: (@Sendable (Call) -> DataAccess?)?
    /// Names the group of calls that take about as long as a call; nil if the name of the method is
    /// the group. Calls of a fast group run on the thread that reads the input.
    public var latencyGroup: (@Sendable (Call) -> String)?
    /// What other libraries attach to it.
    public var annotations = Annotations()
    /// Handles a call.
    public var handler: Handler

    /// Describes a method.
    public init(
        _ name: String,
        _ summary: String,
        title: String? = nil,
        parameters: [Parameter] = [],
        result: Result,
        effect: Effect = .reads,
        data: DataAccess? = nil,
        handler: @escaping Handler
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.effect = effect
        self.data = data
        self.handler = handler
    }

    /// Whether any call may change data.
    public var mayChange: Bool { decidesEffect != nil || effect != .reads }

    /// The side effects of `call`.
    public func effect(of call: Call) -> CallEffect {
        decidesEffect?(call) ?? (effect == .reads ? .reads : .changes)
    }

    /// The data that `call` accesses; nil for all data.
    public func data(of call: Call) -> DataAccess? { decidesData.map { $0(call) } ?? data }

    /// The JSON Schema of its parameters by name.
    public var paramsSchema: ObjectSchema {
        let properties = parameters.map {
            ObjectSchema.Property($0.name, $0.schema, $0.summary, isRequired: $0.isRequired)
        }
        return ObjectSchema(properties, isClosed: !isOpen)
    }
}
