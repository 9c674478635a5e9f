public import JSON
public import JSONRPC

/// Resources of one kind, whose URIs differ in one variable (RFC 6570).
public struct ResourceTemplate: Sendable {
    /// The URI before the variable.
    public var prefix: String
    /// The variable's name.
    public var variable: String
    /// The name of a resource for programs.
    public var name: String
    /// The name of a resource for people.
    public var title: String
    /// What a resource contains, in a sentence.
    public var summary: String
    /// The data that reading a resource accesses; nil for all data.
    public var data: DataAccess?
    /// Returns the content of the resource for a value of the variable, which is JSON; nil if there
    /// is none.
    public var read: @Sendable (String, Call) async throws(RPCError) -> JSONFragment?
    /// Suggests values for a typed prefix.
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

    /// The value of the variable in `uri`; nil for a URI of a different kind.
    func value(in uri: String) -> String? {
        guard uri.hasPrefix(prefix) else { return nil }
        let value = String(uri.dropFirst(prefix.count))
        return value.isEmpty || value.contains("/") ? nil : value
    }
}
