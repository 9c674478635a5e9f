package import JSON
package import JSONRPC
import NovaBlendAdapters

/// The declaration of a method of this program: in one place, everything that is said about it.
extension Method {
    /// Declares a method.
    ///
    /// - Parameters:
    ///   - errors: The errors that do not follow from the parameters and the effect of the method.
    ///   - example: The params of a call, for the documentation. They fit the sample data of
    ///     `novablend serve --sandbox`.
    ///   - exampleFollows: The methods whose examples must run first.
    ///   - confirmation: Makes the question to ask a person before a call.
    ///     A dry run needs none.
    ///   - toolSet: The set of tools for agents to which the method belongs.
    ///   - appUse: How apps use the method.
    ///   - attempt: What a call is to change, for the words of its errors; nil if it only reads.
    ///   - handler: Handles a call, and returns its reply. It can throw an `RPCError` or a `Failure`.
    package init<R: Reply>(
        _ name: MethodName<R>,
        _ summary: String,
        title: String? = nil,
        parameters: @escaping @autoclosure @Sendable () -> [Parameter] = [],
        result: @escaping @autoclosure @Sendable () -> Result,
        effect: Effect = .reads,
        data: DataAccess,
        errors: [ProgramError],
        example: String = "{}",
        exampleFollows: [String] = [],
        confirmation: (@Sendable (Params) async throws -> Confirmation?)? = nil,
        toolSet: ToolSet = .booking,
        appUse: AppUse = .none,
        attempt: RPCError.Attempt? = nil,
        handler: @escaping @Sendable (Call) async throws -> R
    ) {
        let reply = Self.converting(attempt, parameters, handler)
        self.init(
            name.name,
            summary,
            title: title,
            parameters: parameters(),
            result: result(),
            effect: effect,
            data: data
        ) { call throws(RPCError) in
            try await reply(call).encode().fragment
        }
        completeError = { TimeAdvice.completed($0, of: parameters) }
        declaration = Declaration(
            errors: errors,
            example: example,
            exampleFollows: exampleFollows,
            makeConfirmation: confirmation.map { confirmation in
                Self.converting(attempt, parameters) { params in
                    try DryRun.isWanted(params) ? nil : try await confirmation(params)
                }
            },
            toolSet: toolSet,
            appUse: appUse,
            reply: reply
        )
    }

    /// `body`, whose errors become those of a response, with advice about times.
    private static func converting<Input, Output>(
        _ attempt: RPCError.Attempt?,
        _ parameters: @escaping @Sendable () -> [Parameter],
        _ body: @escaping @Sendable (Input) async throws -> Output
    ) -> @Sendable (Input) async throws(RPCError) -> Output {
        { input throws(RPCError) in
            do { return try await body(input) } catch {
                let error = RPCError(thrown: error, doing: attempt)
                throw TimeAdvice.completed(error, of: parameters)
            }
        }
    }

    /// What is said about a method, beyond JSON-RPC.
    package struct Declaration: Sendable {
        fileprivate var errors: [ProgramError] = []
        /// The params of the example; nil for a method without a declaration.
        fileprivate var example: String?
        /// The methods whose examples must run before that of this one.
        package var exampleFollows: [String] = []
        /// Makes the question to ask a person before a call; nil for a method that needs no consent.
        package var makeConfirmation: MakeConfirmation?
        /// The set of tools for agents to which the method belongs.
        package var toolSet = ToolSet.booking
        /// How apps use the method.
        package var appUse = AppUse.none
        /// The members of the result that contain an image; nil for none.
        package var image: ImageMembers?
        /// Returns the reply to a call; nil for a method without a declaration.
        fileprivate(set) var reply: (@Sendable (Call) async throws(RPCError) -> any Reply)?
    }

    private enum DeclarationKey: Annotations.Key { typealias Value = Declaration }

    /// What is said about the method, beyond JSON-RPC.
    package var declaration: Declaration {
        get { annotations[DeclarationKey.self] ?? Declaration() }
        set { annotations[DeclarationKey.self] = newValue }
    }

    /// The errors of this program that a call can fail with, by code. Any call can also fail with the
    /// errors of JSON-RPC.
    package var errors: [ProgramError] {
        var errors = Set(declaration.errors)
        let names = Set(parameters.map(\.name))
        if names.contains(LoadReply.policy.name) { errors.formUnion(ProgramError.loading) }
        if names.contains("file") { errors.insert(.fileNotWritten) }
        if mayChange { errors.insert(.readOnly) }
        if declaration.makeConfirmation != nil { errors.insert(.declined) }
        return errors.sorted { $0.code < $1.code }
    }

    /// The params of the example; nil for a method that is not declared here.
    package var example: JSONObject? {
        declaration.example.flatMap { try? JSONDocument(parsing: Array($0.utf8)).root.object() }
    }
}

extension ProgramError {
    /// The errors of a list that is loaded.
    static let loading: [ProgramError] = [
        .connectivity, .invalidData, .unavailable, .notAuthenticated, .notAllowed, .cacheRetrieval,
        .notConfigured,
    ]
}

/// The ids in the examples: those of the sample data, and placeholders for those of a run.
enum ExampleID {
    static let salon = "5a100000-0000-4000-8000-000000000002"
    static let staffedSalon = "5a100000-0000-4000-8000-000000000004"
    static let hold = "b0000000-0000-4000-8000-000000000001"
    static let appointment = "a0000000-0000-4000-8000-000000000001"
}

/// What the commands and the MCP adapter need to know about a method, beyond JSON-RPC.
extension Method {
    /// A question to ask a person before a call.
    package struct Confirmation: Sendable {
        /// The question, in one line.
        package var question: String
        /// Everything that the call stores or deletes, one fact per line. No value contains a line break.
        package var details: [String]
        /// Arguments to add to the confirmed call if it omits them, by name. They make the call do what
        /// the question shows.
        package var pinnedArguments: [String: JSONFragment] = [:]
        /// Whether the call itself states everything that it does, and it destroys nothing.
        package var isExplicit = false

        /// The question and the details.
        package var text: String { ([question] + details).joined(separator: "\n") }
    }

    /// Returns the question to ask a person before a call; nil if none is needed, because the call
    /// changes nothing. Throws the error of a call that cannot succeed.
    package typealias MakeConfirmation = @Sendable (Params) async throws(RPCError) -> Confirmation?

    /// The members of a result that contain an image.
    package struct ImageMembers: Sendable, Hashable {
        /// The member with the image as base64.
        package var data: String
        /// The member with the media type of the image.
        package var mediaType: String
    }

    /// The parameter that identifies repetitions of the same call; nil for none.
    package var idempotencyParameter: String? {
        let key = ConfirmedReply.key.name
        return parameters.contains { $0.name == key } ? key : nil
    }
}

extension Method.Parameter {
    /// How a parameter differs for agents.
    package struct AgentUse: Sendable {
        /// The value in an agent's call that omits the parameter; nil for none. Agents can only read
        /// short results.
        package var defaultValue: JSONFragment?
        /// Whether `tools/list` leaves the parameter out, because its default is best for agents. A
        /// call may have it.
        package var isUnlisted = false
        /// Whether the value permits to destroy something. Then only its exact type counts, and not a
        /// text that looks like it.
        package var isConsent = false
    }

    private enum AgentUseKey: Annotations.Key { typealias Value = AgentUse }

    /// How the parameter differs for agents.
    package var agentUse: AgentUse {
        get { annotations[AgentUseKey.self] ?? AgentUse() }
        set { annotations[AgentUseKey.self] = newValue }
    }
}

/// The value that a call of a method returns. Inside the process it is used as it is; JSON-RPC, MCP, and
/// `--json` write its JSON.
package protocol Reply: Sendable {
    /// Encodes the result. The schema of the method's result describes it.
    func encode() throws(RPCError) -> ObjectFragment
}

/// A result that nothing in the process needs as a value.
extension ObjectFragment: Reply {
    package func encode() -> ObjectFragment { self }
}

/// The name of a method, with the type of its reply.
package struct MethodName<R: Reply>: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let name: String

    package var description: String { name }

    package init(_ name: String) { self.name = name }

    package init(stringLiteral name: String) { self.name = name }
}

extension Method {
    /// Calls the method that was declared with `name`.
    package func reply<R: Reply>(
        to call: Call,
        as name: MethodName<R>
    ) async throws(RPCError) -> R {
        if let reply = try await declaration.reply?(call) as? R { return reply }
        throw .internalError("\(name) has no reply of its type")
    }
}

/// A group of methods that agents get together, as tools.
package struct ToolSet: Sendable, Hashable {
    package let name: String
    /// Whether the tools only access data on this machine.
    package let isLocal: Bool

    package init(name: String, isLocal: Bool = false) {
        self.name = name
        self.isLocal = isLocal
    }

    /// The set of the tools that an agent needs to book appointments.
    package static let booking = ToolSet(name: "booking")
    /// The set of the tools that change salons.
    package static let admin = ToolSet(name: "admin")
    /// The set of the tools for the cache of this program.
    package static let cache = ToolSet(name: "cache", isLocal: true)
}

extension ListedResource {
    /// The set of the tools of this list.
    package var toolSet: ToolSet { ToolSet(name: name) }
}

extension Method {
    /// An interactive page that clients of MCP can show.
    package enum App: Sendable, CaseIterable {
        /// A salon's free times in a week, which users can hold and book.
        case week
    }

    /// How apps use a method.
    package enum AppUse: Sendable, Hashable {
        /// No app calls the method.
        case none
        /// An app calls the method.
        case callable
        /// The app shows the results of the method, and calls it, too.
        case shown(in: App)
    }
}
