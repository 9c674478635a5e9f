public import JSON
public import JSONRPC

/// A tool that calls a method of the server.
///
/// Its name is that of the method, with `_` instead of `/`: `notes/add` becomes `notes_add`. Its
/// title, description, schemas, and annotations are also those of the method.
///
/// A call with a missing or unknown argument fails. The schema of an argument only tells the model
/// which values are allowed: the handler of the method checks them. `Params` and `Decodable` check
/// their types, but not ranges.
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

    let name: String
    let method: Method
    let makeConfirmation: MakeConfirmation?
    let idempotencyParameter: String?
    let image: ImageMembers?
    /// The data that calls access; nil for all data.
    let data: DataAccess?
    let defaults: [String: JSONFragment]
    let unlistedParameters: Set<String>
    private let defaultValues: [(name: String, value: JSONValue)]
    /// Some clients add the members that MCP reserves to the arguments, too.
    private let ignoredArguments: Set<String>

    /// Creates a tool.
    ///
    /// - Parameters:
    ///   - method: The method. Its result must be an object (MCP 2025-06-18, "Structured Content");
    ///     a call with any other result fails with -32603.
    ///   - defaults: Values for parameters that a call omits, by name. They are part of the listed
    ///     schema.
    ///   - unlistedParameters: Parameters that `tools/list` leaves out to stay short, such as those
    ///     that only programs use. Calls may have them.
    ///   - makeConfirmation: Returns the question to ask the user before a call; nil not to ask. If
    ///     the client cannot ask its user, calls run without a question.
    ///   - idempotencyParameter: The parameter for the idempotency key. If a confirmation needs two
    ///     requests, both use the same key.
    ///   - image: The result members that contain an image for the model.
    public init(
        _ method: Method,
        defaults: [String: JSONFragment] = [:],
        unlistedParameters: Set<String> = [],
        makeConfirmation: MakeConfirmation? = nil,
        idempotencyParameter: String? = nil,
        image: ImageMembers? = nil
    ) {
        name = Self.name(ofMethod: method.name)
        self.method = method
        self.makeConfirmation = makeConfirmation
        self.idempotencyParameter = idempotencyParameter
        self.image = image
        data = method.data?.reading(MCPServer.session.reads)
        self.defaults = defaults
        self.unlistedParameters = unlistedParameters
        defaultValues = defaults.compactMap { name, value in
            (try? JSONDocument(parsing: value.bytes).root).map { (name, $0) }
        }
        ignoredArguments = ProtocolExtension.mcp.reservedParameters
            .subtracting(method.parameters.map(\.name))
    }

    /// The name of the tool for a method: `_` replaces `/`, because most clients do not allow
    /// slashes.
    public static func name(ofMethod method: String) -> String {
        String(method.map { $0 == "/" ? "_" : $0 })
    }

    /// Parses the arguments of a call and adds the defaults.
    func params(_ arguments: JSONValue?) throws(RPCError) -> Params {
        if let arguments, arguments.kind != .object, !arguments.isNull {
            throw .invalidParams("\"arguments\" must be an object", parameter: "arguments")
        }
        var params = try Params(arguments, for: method, ignoring: ignoredArguments)
        for (name, value) in defaultValues { params = params.defaulting(name, to: value) }
        return params
    }
}

extension Params {
    /// Returns these parameters, with those in `values` set to their value.
    func setting(_ values: [String: JSONFragment]) -> Params {
        values.reduce(self) { $0.setting($1.key, to: $1.value) }
    }
}
