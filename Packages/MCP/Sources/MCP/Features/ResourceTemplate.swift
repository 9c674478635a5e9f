public import JSON
public import JSONRPC

/// A template for resources whose URIs differ in one variable at the end (RFC 6570).
public struct ResourceTemplate: Sendable {
    /// The URI before the variable.
    public var prefix: String
    /// The name of the variable.
    public var variable: String
    /// The name that programs use.
    public var name: String
    /// The name to show to users.
    public var title: String
    /// The contents of a resource, in one sentence.
    public var summary: String
    /// The data that a read accesses; nil for all data.
    public var data: DataAccess?
    /// Returns the content for a value of the variable as JSON; nil if there is no such resource.
    public var read: @Sendable (String, Call) async throws(RPCError) -> JSONFragment?
    /// Returns completions of the variable for a prefix.
    public var complete: @Sendable (String) async -> [String]

    /// Creates a template.
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

    /// The value of the variable in `uri`; nil if `uri` does not match the template.
    func value(in uri: String) -> String? {
        guard uri.hasPrefix(prefix) else { return nil }
        let value = String(uri.dropFirst(prefix.count))
        return value.isEmpty || value.contains("/") ? nil : value
    }
}
