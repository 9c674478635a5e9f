public import JSON

/// A method, described once: the router, the discovery document and the tools come from it.
public struct Method: Sendable {
    /// Something that a method takes.
    public struct Parameter: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// What it is, in a sentence.
        public var summary: String
        /// Whether a call must have it.
        public var isRequired: Bool
        /// Its JSON Schema.
        public var schema: JSONFragment
        /// What a call by an agent has when it leaves this out: it reads with a small budget.
        public var agentDefault: JSONFragment?

        /// Describes a parameter.
        public init(
            _ name: String,
            _ summary: String,
            isRequired: Bool = false,
            schema: JSONFragment,
            agentDefault: JSONFragment? = nil
        ) {
            self.name = name
            self.summary = summary
            self.isRequired = isRequired
            self.schema = schema
            self.agentDefault = agentDefault
        }
    }

    /// What a call gives.
    public struct Result: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// What it is, in a sentence.
        public var summary: String
        /// What is in it.
        public var schema: ObjectSchema

        /// Describes a result.
        public init(_ name: String, _ summary: String, schema: ObjectSchema = ObjectSchema()) {
            self.name = name
            self.summary = summary
            self.schema = schema
        }
    }

    /// What a call does to the world.
    public enum Effect: Sendable, Hashable {
        /// Nothing: calls run side by side.
        case reads
        /// Something: calls that touch the same data run one after the other, in the order in which
        /// they arrived.
        case changes(destroys: Bool = false, isIdempotent: Bool = false)
    }

    /// What one call does, and when.
    public enum CallEffect: Sendable, Hashable {
        /// Nothing.
        case reads
        /// Something, from its start.
        case changes
        /// Something, once it runs ``Call/inTurn(_:)``.
        case changesLater
    }

    /// The members of a result that are an image: its data in base64, and its media type.
    public struct ImageMembers: Sendable, Hashable {
        /// The member that has the data.
        public var data: String
        /// The member that has the media type.
        public var mediaType: String

        /// Names them.
        public init(data: String, mediaType: String) {
            self.data = data
            self.mediaType = mediaType
        }
    }

    /// Answers a call with its result.
    public typealias Handler = @Sendable (Call) async throws(RPCError) -> JSONFragment

    /// Asks a person whether a call should be done; nil where it needs no question, since it changes
    /// nothing.
    public typealias Confirmation = @Sendable (Params) async throws(RPCError) -> String?

    /// Its name, as requests have it.
    public var name: String
    /// Its name for people.
    public var title: String?
    /// What it does, in a sentence.
    public var summary: String
    /// What it takes, in the order of positions.
    public var parameters: [Parameter]
    /// Whether it also takes, by name, what is not among its parameters.
    public var isOpen = false
    /// What it gives.
    public var result: Result
    /// What a call does to the world.
    public var effect: Effect
    /// What a call does, where that depends on the call.
    public var decidesEffect: (@Sendable (Call) -> CallEffect)?
    /// The data that its calls touch; nil for all data.
    public var data: DataAccess?
    /// The data that a call touches, where that depends on the call.
    public var decidesData: (@Sendable (Call) -> DataAccess?)?
    /// What calls have in common that take equally long, where that is more than the name.
    public var pace: (@Sendable (Call) -> String)?
    /// The question to ask a person before a call is done on an agent's behalf; nil for none. Throws
    /// what the call would, for a call that cannot be done anyway.
    public var confirmation: Confirmation?
    /// The members of its result that are an image, to be shown to a model as one; nil for none.
    public var image: ImageMembers?
    /// The parameter that makes a repeated call the same call; nil for none.
    public var idempotencyParameter: String?
    /// Answers a call.
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

    /// Whether any call changes something.
    public var mayChange: Bool { decidesEffect != nil || effect != .reads }

    /// What this call does.
    public func effect(of call: Call) -> CallEffect {
        decidesEffect?(call) ?? (effect == .reads ? .reads : .changes)
    }

    /// The data that this call touches; nil for all data.
    public func data(of call: Call) -> DataAccess? { decidesData.map { $0(call) } ?? data }

    /// What it takes by name.
    public var paramsSchema: ObjectSchema {
        let properties = parameters.map {
            ObjectSchema.Property($0.name, $0.schema, $0.summary, isRequired: $0.isRequired)
        }
        return ObjectSchema(properties, isClosed: !isOpen)
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
