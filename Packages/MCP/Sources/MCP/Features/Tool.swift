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
/// Some clients turn arguments into text. So if the schema of an argument says that it is an integer, a
/// Boolean, an array, or an object, a text that is exactly one JSON value of that type means that value.
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
        /// Parameters whose values must have their exact type, because they permit to destroy
        /// something. For the others, see ``Tool``.
        public var literal: Set<String>
        /// The parameter for the idempotency key. If a confirmation needs two requests, both use the
        /// same key.
        public var idempotencyKey: String?

        /// Creates a description of arguments.
        public init(
            defaults: [String: JSONFragment] = [:],
            unlisted: Set<String> = [],
            literal: Set<String> = [],
            idempotencyKey: String? = nil
        ) {
            self.defaults = defaults
            self.unlisted = unlisted
            self.literal = literal
            self.idempotencyKey = idempotencyKey
        }
    }

    /// The name of the tool.
    public let name: String
    let method: Method
    /// Whether `tools/list` contains the tool.
    public let isListed: Bool
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

    /// The JSON Schema of the structured content of a result, which is the result of the method. It does
    /// not contain the image data, which clients get as an image. Its texts name `tools` instead of
    /// methods.
    public func resultSchema(naming tools: [Tool]) -> JSONFragment {
        resultSchema(ToolNames(ofMethods: tools.map(\.method.name)))
    }

    func resultSchema(_ names: ToolNames) -> JSONFragment {
        var schema = method.result.schema
        schema.properties.removeAll { $0.name == image?.data }
        let text = names.replacingMethods(in: schema.fragment.description)
        return JSONFragment(trusted: Array(text.utf8))
    }

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
    /// The types of the arguments that may be written as text, by name.
    private let types: LazyValue<[String: ArgumentType]>

    init(_ arguments: Tool.Arguments, of method: Method) {
        self.arguments = arguments
        defaults = arguments.defaults.compactMap { name, value in
            (try? JSONDocument(parsing: value.bytes).root).map { (name, $0) }
        }
        ignored = ProtocolExtension.mcp.reservedParameters
            .subtracting(method.parameters.map(\.name))
        types = LazyValue { [literal = arguments.literal] in
            let types = method.parameters.filter { !literal.contains($0.name) }
                .compactMap { parameter in
                    ArgumentType(of: parameter.schema).map { (parameter.name, $0) }
                }
            return Dictionary(types) { first, _ in first }
        }
    }

    func read(_ values: JSONValue?, for method: Method) throws(RPCError) -> Params {
        var params = try Params(
            withoutTexts(values, for: method),
            for: method,
            ignoring: ignored,
            unlisted: arguments.unlisted
        )
        for (name, value) in defaults { params = params.defaulting(name, to: value) }
        return params
    }

    /// The arguments, with values in place of the texts that are written for them, and with null in place
    /// of blank texts if the method permits that.
    private func withoutTexts(_ values: JSONValue?, for method: Method) -> JSONValue? {
        guard let object = try? values?.object() else { return values }
        var meant: [String: JSONFragment] = [:]
        for (name, value) in object where value.kind == .string {
            guard let text = try? value.string() else { continue }
            if method.treatsEmptyAsAbsent, text.allSatisfy(\.isWhitespace) {
                let parameter = method.parameters.first { $0.name == name }
                if parameter?.isRequired == false { meant[name] = .null }
            } else if let type = types.value[name],
                let inner = JSONDocument(validating: Array(text.utf8))?.root, type.includes(inner)
            {
                meant[name] = JSONFragment { $0.value(inner) }
            }
        }
        if meant.isEmpty { return values }
        let members = JSONFragment.object { writer in
            for (name, value) in object {
                writer.member(named: name, meant[name] ?? JSONFragment { $0.value(value) })
            }
        }
        return JSONDocument(validating: members.bytes)?.root ?? values
    }
}

/// The type of an argument that some clients write as text.
private enum ArgumentType: String {
    case integer, boolean, array, object

    /// The type in a schema; nil if it is a different one, such as text.
    init?(of schema: JSONSchema) {
        switch schema {
        case .object: self = .object
        case .array: self = .array
        case .encoded(let fragment):
            let object = try? JSONDocument(validating: fragment.bytes)?.root.object()
            guard let name = try? object?["type"]?.string() else { return nil }
            self.init(rawValue: name)
        case .anyOf: return nil
        }
    }

    func includes(_ value: JSONValue) -> Bool {
        switch self {
        case .integer: value.kind == .number && (try? value.integer()) != nil
        case .boolean: value.kind == .bool
        case .array: value.kind == .array
        case .object: value.kind == .object
        }
    }
}

extension Params {
    /// Returns these parameters, with the parameters in `values` set to the values there.
    func setting(_ values: [String: JSONFragment]) -> Params {
        values.reduce(self) { $0.setting($1.key, to: $1.value) }
    }
}
