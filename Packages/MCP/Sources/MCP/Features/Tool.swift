public import JSON
public import JSONRPC
import SystemSupport

/// A tool that calls a method of the server.
///
/// A tool has the name of its method, with `_` instead of `/`: `notes/add` becomes `notes_add`. Its
/// title, description, schemas, and annotations are also those of the method.
///
/// A call with missing or unknown arguments fails, and the error names all of them. The schema of an
/// argument only tells the model which values are allowed: the handler of the method checks them.
/// `Params` and `Decodable` check their types, but not ranges.
///
/// The text of a result is its JSON.
///
/// This is a class because each call looks up its tool several times, and copying a method would
/// cost more than the lookup.
public final class Tool: Sendable {
    /// Returns the question to ask the user before a call; nil if the call changes nothing and
    /// therefore needs no confirmation. Throws if the call would fail, so that the user is not
    /// asked needlessly.
    public typealias MakeConfirmation = @Sendable (Params) async throws(RPCError) -> Confirmation?

    /// How the arguments of a tool differ from the parameters of its method.
    public struct Arguments: Sendable {
        /// Values for parameters that a call omits, by name. They are part of the listed schema.
        public var defaults: [String: JSONFragment]
        /// Parameters that `tools/list` leaves out to stay short, such as those that only programs
        /// use. Calls may have them.
        public var unlisted: Set<String>
        /// The parameter for the idempotency key. If a confirmation needs two requests, both use the
        /// same key.
        public var idempotencyKey: String?

        /// Creates a description of arguments.
        public init(
            defaults: [String: JSONFragment] = [:],
            unlisted: Set<String> = [],
            idempotencyKey: String? = nil
        ) {
            self.defaults = defaults
            self.unlisted = unlisted
            self.idempotencyKey = idempotencyKey
        }
    }

    let name: String
    let method: Method
    /// Whether `tools/list` contains the tool.
    let isListed: Bool
    /// Whether calls only access data of the server itself.
    let isLocal: Bool
    let makeConfirmation: MakeConfirmation?
    let image: ImageMembers?
    let appUse: AppUse
    /// The data that calls access; nil for all data.
    let data: DataAccess?
    private let reader: LazyValue<ArgumentReader>

    /// Creates a tool.
    ///
    /// - Parameters:
    ///   - method: The method. Its result must be an object (MCP 2025-06-18, "Structured Content");
    ///     a call with any other result fails with -32603.
    ///   - arguments: How its arguments differ from the parameters of the method. This is made when it
    ///     is first needed, like the parameters.
    ///   - makeConfirmation: Returns the question to ask the user before a call; nil not to ask.
    ///     ``Consent`` says what happens if the client cannot ask its user.
    ///   - image: The result members that contain an image for the model.
    ///   - isListed: Whether `tools/list` contains the tool. An unlisted tool can still be called,
    ///     for example to explain to a model why it cannot be used.
    ///   - isLocal: Whether calls only access data of the server itself, and no other system
    ///     (`openWorldHint` is then false).
    ///   - appUse: How apps use the tool.
    public init(
        _ method: Method,
        arguments: @escaping @autoclosure @Sendable () -> Arguments = Arguments(),
        makeConfirmation: MakeConfirmation? = nil,
        image: ImageMembers? = nil,
        isListed: Bool = true,
        isLocal: Bool = false,
        appUse: AppUse = .none
    ) {
        name = Self.name(ofMethod: method.name)
        self.method = method
        self.isListed = isListed
        self.isLocal = isLocal
        self.makeConfirmation = makeConfirmation
        self.image = image
        self.appUse = appUse
        data = method.data?.reading(MCPServer.session.reads)
        reader = LazyValue { ArgumentReader(arguments(), of: method) }
    }

    /// How the arguments of the tool differ from the parameters of the method.
    var arguments: Arguments { reader.value.arguments }

    /// The name of the tool for a method: `_` replaces `/`, because most clients do not allow
    /// slashes.
    public static func name(ofMethod method: String) -> String {
        let (slash, underscore) = (UInt8(ascii: "/"), UInt8(ascii: "_"))
        return String(decoding: method.utf8.map { $0 == slash ? underscore : $0 }, as: UTF8.self)
    }

    /// Parses the arguments of a call and adds the defaults.
    func params(_ arguments: JSONValue?) throws(RPCError) -> Params {
        if let arguments, arguments.kind != .object, !arguments.isNull {
            throw .invalidParams("\"arguments\" must be an object", parameter: "arguments")
        }
        return try reader.value.read(arguments, for: method)
    }
}

/// Reads the arguments of the calls of one tool.
private struct ArgumentReader: Sendable {
    let arguments: Tool.Arguments
    private let defaults: [(name: String, value: JSONValue)]
    /// Some clients add the members that MCP reserves to the arguments, too.
    private let ignored: Set<String>

    init(_ arguments: Tool.Arguments, of method: Method) {
        self.arguments = arguments
        defaults = arguments.defaults.compactMap { name, value in
            (try? JSONDocument(parsing: value.bytes).root).map { (name, $0) }
        }
        ignored = ProtocolExtension.mcp.reservedParameters
            .subtracting(method.parameters.map(\.name))
    }

    func read(_ values: JSONValue?, for method: Method) throws(RPCError) -> Params {
        var params = try Params(
            values,
            for: method,
            ignoring: ignored,
            unlisted: arguments.unlisted
        )
        for (name, value) in defaults { params = params.defaulting(name, to: value) }
        return params
    }
}

extension Params {
    /// Returns these parameters, with the parameters in `values` set to the values there.
    func setting(_ values: [String: JSONFragment]) -> Params {
        values.reduce(self) { $0.setting($1.key, to: $1.value) }
    }
}
