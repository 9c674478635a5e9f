public import JSONRPC

/// A template for resources whose URIs differ in one variable at the end (RFC 6570, level 1).
public struct ResourceTemplate: Sendable {
    /// The URI before the variable.
    public var prefix: String
    /// The name of the variable.
    public var variable: String
    /// The name of the template, for programs.
    public var name: String
    /// The name to show to users; nil to show `name`.
    public var title: String?
    /// The contents of a resource, in one sentence.
    public var description: String
    /// How to find the URIs that exist, as a clause for the error about one that does not; nil for
    /// none.
    public var advice: String?
    /// The media type of the resources.
    public var mimeType: String
    /// The data that a read accesses; nil for all data.
    public var data: DataAccess?
    /// Returns the content for a value of the variable; nil if there is no such resource.
    public var read: @Sendable (String, Call) async throws(RPCError) -> ResourceBody?
    /// Returns completions of the variable for a prefix, of which the client receives the first 100;
    /// nil for none.
    public var complete: (@Sendable (String) async -> [String])?

    /// Creates a template.
    ///
    /// - Parameters:
    ///   - prefix: The URI before the variable.
    ///   - variable: The name of the variable. Its value is not empty and contains no `/`.
    ///   - name: The name, for programs.
    ///   - title: The name to show to users; nil to show `name`.
    ///   - description: The contents of a resource, in one sentence.
    ///   - advice: How to find the URIs that exist, as a clause.
    ///   - mimeType: The media type of the resources.
    ///   - data: The data that a read accesses; nil for all data.
    ///   - read: Returns the content for a value of the variable; nil if there is no such resource.
    ///     The call has no parameters.
    ///   - complete: Returns completions of the variable for a prefix, of which the client receives
    ///     the first 100; nil for none.
    public init(
        prefix: String,
        variable: String,
        name: String,
        title: String? = nil,
        description: String,
        advice: String? = nil,
        mimeType: String = "application/json",
        data: DataAccess? = nil,
        read: @escaping @Sendable (String, Call) async throws(RPCError) -> ResourceBody?,
        complete: (@Sendable (String) async -> [String])? = nil
    ) {
        self.prefix = prefix
        self.variable = variable
        self.name = name
        self.title = title
        self.description = description
        self.advice = advice
        self.mimeType = mimeType
        self.data = data
        self.read = read
        self.complete = complete
    }

    var uriTemplate: String { "\(prefix){\(variable)}" }

    /// The resource `uri`; nil if `uri` does not match the template.
    func resource(at uri: String) -> Resource? {
        guard uri.hasPrefix(prefix) else { return nil }
        let value = String(uri.dropFirst(prefix.count))
        guard !value.isEmpty, !value.contains("/") else { return nil }
        return Resource(uri, name: name, description: description, mimeType: mimeType, data: data) {
            call throws(RPCError) in
            try await read(value, call)
        }
    }
}
