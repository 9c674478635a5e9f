import JSON

/// A prompt in the list of a server.
public struct ServerPrompt: Sendable, Hashable {
    /// An argument of a prompt.
    public struct Argument: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its meaning; nil if the server does not say it.
        public let description: String?
        /// Whether it is required.
        public let isRequired: Bool

        init(_ value: JSONValue) throws(JSONError) {
            let object = try value.object()
            name = try object.required("name").string()
            description = try object.optional("description")?.string()
            isRequired = try object.optional("required")?.bool() ?? false
        }
    }

    /// The name to get it by.
    public let name: String
    /// The name to show to users; nil if it has none.
    public let title: String?
    /// Its purpose; nil if the server does not say it.
    public let description: String?
    /// Its arguments.
    public let arguments: [Argument]

    init(_ object: JSONObject) throws(JSONError) {
        name = try object.required("name").string()
        title = try object.optional("title")?.string()
        description = try object.optional("description")?.string()
        arguments = try object.optional("arguments")?.array().map(Argument.init) ?? []
    }
}

/// A message of a prompt.
public struct PromptMessage: Sendable {
    /// Who says it: `user` or `assistant`.
    public let role: String
    /// What is said.
    public let content: ContentBlock

    init(_ object: JSONObject) throws(JSONError) {
        role = try object.required("role").string()
        content = try ContentBlock(object.required("content"))
    }
}
