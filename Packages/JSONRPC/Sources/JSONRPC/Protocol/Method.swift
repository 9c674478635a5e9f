public import JSON
import SystemSupport

/// A method that a peer can call, or a notification that it can send: its handler, and a description
/// that routing, validation, and documentation use.
public struct Method: Sendable {
    /// A parameter of a method.
    public struct Parameter: Sendable {
        /// The name of the parameter.
        public var name: String
        /// The meaning of the parameter, in one sentence.
        public var summary: String
        /// Whether a call must include the parameter.
        public var isRequired: Bool
        /// The JSON Schema of the parameter. It is made whenever it is read.
        public var schema: JSONSchema { makeSchema() }
        private let makeSchema: @Sendable () -> JSONSchema
        /// Whether the value is a text for people. Half of a surrogate pair in it, which a program
        /// leaves that cuts a text, is replaced with U+FFFD. In any other value it is an error.
        public var isFreeText = false
        /// Values that other libraries attach to the parameter.
        public var annotations = Annotations()

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: The name of the parameter.
        ///   - summary: The meaning of the parameter, in one sentence.
        ///   - isRequired: Whether a call must include the parameter.
        ///   - schema: The JSON Schema of the parameter, which describes the values. The handler
        ///     checks them.
        public init(
            _ name: String,
            _ summary: String,
            isRequired: Bool = false,
            schema: @escaping @autoclosure @Sendable () -> JSONSchema
        ) {
            self.name = name
            self.summary = summary
            self.isRequired = isRequired
            makeSchema = schema
        }
    }

    /// The result of a call.
    public struct Result: Sendable, Hashable {
        /// The name of the result.
        public var name: String
        /// The contents of the result, in one sentence.
        public var summary: String
        /// The members of a result that is an object.
        public var schema: ObjectSchema

        /// Creates a result.
        ///
        /// - Parameters:
        ///   - name: The name of the result.
        ///   - summary: The contents of the result, in one sentence.
        ///   - schema: The members of a result that is an object.
        public init(_ name: String, _ summary: String, schema: ObjectSchema = ObjectSchema()) {
            self.name = name
            self.summary = summary
            self.schema = schema
        }
    }

    /// The side effects of a method.
    public enum Effect: Sendable, Hashable {
        /// No side effects. A call waits only for earlier changes to the data that it reads.
        case reads
        /// Changes data. Calls run in the order of their arrival, and later calls that access the
        /// same data wait until the change has finished.
        ///
        /// `destroys` says whether a call may delete or overwrite data, and `isIdempotent` whether
        /// repeating a call with the same parameters, whichever they are, changes nothing more.
        /// Clients of MCP rely on both: they may repeat an idempotent call after a lost connection.
        case changes(destroys: Bool = false, isIdempotent: Bool = false)
    }

    /// The side effects of one call.
    public enum CallEffect: Sendable, Hashable {
        /// The call changes no data.
        case reads
        /// The call may change data as soon as it starts.
        case changes
        /// The call may change data only inside ``Call/inTurn(_:_:)``.
        case changesLater
    }

    /// Handles a call and returns its result.
    public typealias Handler = @Sendable (Call) async throws(RPCError) -> JSONFragment

    /// The name of the method in requests.
    public var name: String
    /// The name of the method for people.
    public var title: String?
    /// What the method does, in one sentence.
    public var summary: String
    /// The parameters of the method, in positional order.
    public var parameters: [Parameter] { declaredParameters.value }
    /// Whether the method accepts named parameters that are not in ``parameters``.
    public var acceptsUnknownParameters = false
    /// Finds the parameter of another method that a member of a parameter is passed to, such as an
    /// argument of a tool. Called with the params, the name of the parameter, and that of the member.
    public var nestedParameter:
        (@Sendable (_ params: JSONValue?, _ parameter: String, _ member: String) -> Parameter?)?
    /// Whether a parameter whose value is an empty string or an empty array counts as absent. AI
    /// agents often fill in every parameter that way.
    public var treatsEmptyAsAbsent = false
    /// The result of the method. It is made whenever it is read.
    public var result: Result { makeResult() }
    /// The side effects of the method.
    public var effect: Effect
    /// Determines the side effects of a call, if they depend on its parameters.
    public var determineEffect: (@Sendable (Call) -> CallEffect)?
    /// The data that calls access; nil for all data.
    public var data: DataAccess?
    /// Determines the data that a call accesses, if it depends on the parameters.
    public var determineData: (@Sendable (Call) -> DataAccess?)?
    /// Returns the name of a group of calls that take about the same time. If nil, all calls of the
    /// method form one group. Calls of a fast group run on the thread that reads the input.
    public var latencyGroup: (@Sendable (Call) -> String)?
    /// Adds advice to the error of a call whose ``Params`` are invalid, such as the present time; nil to
    /// leave errors as they are.
    public var completeError: (@Sendable (RPCError) -> RPCError)?
    /// Whether a call may run on the thread that reads the input. Set it to false if a call may
    /// compute for long without suspending: until it suspends, that thread reads no cancellation,
    /// and the progress of the call is not sent.
    public var mayRunInline = true
    /// Values that other libraries attach to the method.
    public var annotations = Annotations()
    /// Handles a call.
    public var handler: Handler
    private let declaredParameters: LazyValue<[Parameter]>
    private let makeResult: @Sendable () -> Result
    /// Handles a notification on the thread that reads the input; nil to use ``handler``.
    var receive: (@Sendable (JSONValue?) -> Void)?

    /// Creates a method.
    ///
    /// - Parameters:
    ///   - name: The name of the method in requests.
    ///   - summary: What the method does, in one sentence.
    ///   - title: The name of the method for people.
    ///   - parameters: The parameters, in positional order. They are made when they are first
    ///     read, so that a program with many methods starts fast.
    ///   - result: The result, which is also made when it is read.
    ///   - effect: The side effects. Calls that only read run concurrently, in any order.
    ///   - data: The data that calls access; nil for all data.
    ///   - handler: Handles a call.
    public init(
        _ name: String,
        _ summary: String,
        title: String? = nil,
        parameters: @escaping @autoclosure @Sendable () -> [Parameter] = [],
        result: @escaping @autoclosure @Sendable () -> Result,
        effect: Effect = .reads,
        data: DataAccess? = nil,
        handler: @escaping Handler
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        declaredParameters = LazyValue(parameters)
        makeResult = result
        self.effect = effect
        self.data = data
        self.handler = handler
    }

    /// Whether any call may change data.
    public var mayChange: Bool { determineEffect != nil || effect != .reads }

    /// The side effects of `call`.
    public func effect(of call: Call) -> CallEffect {
        determineEffect?(call) ?? (effect == .reads ? .reads : .changes)
    }

    /// The data that `call` accesses; nil for all data.
    public func data(of call: Call) -> DataAccess? { determineData.map { $0(call) } ?? data }

    /// The JSON Schema of the named parameters.
    ///
    /// The schema does not say that null means the same as an absent parameter, because many
    /// clients of MCP reject a schema with more than one type.
    public var paramsSchema: ObjectSchema {
        let properties = parameters.map {
            ObjectSchema.Property($0.name, $0.schema, $0.summary, isRequired: $0.isRequired)
        }
        return ObjectSchema(properties, isClosed: !acceptsUnknownParameters)
    }
}

/// The data that a call reads and changes. The program chooses the names.
///
/// A call waits only for earlier changes to data that it reads or changes.
public struct DataAccess: Sendable, Hashable {
    /// The data that the call reads.
    public var reads: Set<String>
    /// The data that the call changes. Ignored for calls without side effects.
    public var changes: Set<String>

    /// Creates a description of an access.
    ///
    /// - Parameters:
    ///   - reads: The names of the data that the call reads.
    ///   - changes: The names of the data that the call changes.
    public init(reads: Set<String> = [], changes: Set<String> = []) {
        (self.reads, self.changes) = (reads, changes)
    }

    /// No data: the call does not wait for changes.
    public static let none = DataAccess()

    /// Returns this access with `names` added to the data that is read.
    public func reading(_ names: Set<String>) -> DataAccess {
        DataAccess(reads: reads.union(names), changes: changes)
    }
}

/// Values that other libraries attach to a method or a parameter. This library does not use them.
///
/// Each key is a type that declares the type of its value:
///
///     enum Icon: Annotations.Key { typealias Value = String }
///     method.annotations[Icon.self] = "hammer"
public struct Annotations: Sendable {
    /// A key, and the type of its value.
    public protocol Key {
        /// The type of the values with this key.
        associatedtype Value: Sendable
    }

    private struct Entry: Sendable {
        var key: ObjectIdentifier
        var value: any Sendable
    }

    // The values are in an array, because a method has only a few, and a dictionary would slow down
    // startup.
    private var entries: [Entry] = []

    /// Creates an empty collection.
    public init() {}

    /// The value for `key`, or nil.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { entries.first { $0.key == ObjectIdentifier(key) }?.value as? K.Value }
        set {
            entries.removeAll { $0.key == ObjectIdentifier(key) }
            if let newValue { entries.append(Entry(key: ObjectIdentifier(key), value: newValue)) }
        }
    }
}
