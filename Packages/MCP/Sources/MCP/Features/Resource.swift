public import JSON
public import JSONRPC

/// Something that can be read by its URI.
public struct Resource: Sendable {
    /// Its address.
    public var uri: String
    /// For programs.
    public var name: String
    /// For people.
    public var title: String
    /// What it is, in a sentence.
    public var summary: String
    /// The data that reading it touches; nil for all data.
    public var data: DataAccess?
    /// Gives its content, which is JSON.
    public var read: Method.Handler

    /// Describes a resource.
    public init(
        _ uri: String,
        name: String,
        title: String,
        summary: String,
        data: DataAccess? = nil,
        read: @escaping Method.Handler
    ) {
        self.uri = uri
        self.name = name
        self.title = title
        self.summary = summary
        self.data = data
        self.read = read
    }
}

/// Resources of one kind, told apart by one variable in their URI (RFC 6570).
public struct ResourceTemplate: Sendable {
    /// What stands before the variable.
    public var prefix: String
    /// The variable's name.
    public var variable: String
    /// For programs.
    public var name: String
    /// For people.
    public var title: String
    /// What they are, in a sentence.
    public var summary: String
    /// The data that reading one touches; nil for all data.
    public var data: DataAccess?
    /// Gives the content of the one that the variable tells, which is JSON; nil when there is none.
    public var read: @Sendable (String, Call) async throws(RPCError) -> JSONFragment?
    /// Suggests values for what was typed.
    public var complete: @Sendable (String) async -> [String]

    /// Describes resources of one kind.
    public init(
        prefix: String,
        variable: String,
        name: String,
        title: String,
        summary: String,
        data: DataAccess? = nil,
        read: @escaping @Sendable (String, Call) async throws(RPCError) -> JSONFragment?,
        complete: @escaping @Sendable (String) async -> [String]
    ) {
        self.prefix = prefix
        self.variable = variable
        self.name = name
        self.title = title
        self.summary = summary
        self.data = data
        self.read = read
        self.complete = complete
    }

    var uriTemplate: String { "\(prefix){\(variable)}" }

    /// What the variable is in `uri`; nil when it is none of these.
    func value(in uri: String) -> String? {
        guard uri.hasPrefix(prefix) else { return nil }
        let value = String(uri.dropFirst(prefix.count))
        return value.isEmpty || value.contains("/") ? nil : value
    }
}
